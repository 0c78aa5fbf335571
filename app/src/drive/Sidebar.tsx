import { Link } from "@tanstack/react-router";
import { Bot, ChevronDown, ChevronRight, Clock, HardDrive, House, Trash2, Users } from "lucide-react";
import { useMemo, useState } from "react";
import { useDrives } from "./drives";
import { foldersIn } from "./folders";
import { useList } from "./list";
import style from "./Sidebar.module.css";

/** The drives with their folders, which are asked for when one is unfolded, and the lists beside them. */
export function Sidebar() {
  const drives = useDrives();
  return (
    <>
      <ul className={style.list}>
        <li>
          <Link to="/" className={style.link} activeProps={{ "aria-current": "page" }}>
            <House aria-hidden size={16} /> Home
          </Link>
        </li>
        {drives.map((drive) => (
          <Branch key={drive.id} kind="drive" id={drive.id} driveId={drive.id} name={drive.name} />
        ))}
      </ul>
      <ul className={style.list}>
        <li>
          <Link to="/shared" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Users aria-hidden size={16} /> Shared with you
          </Link>
        </li>
        <li>
          <Link to="/recent" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Clock aria-hidden size={16} /> Recent
          </Link>
        </li>
        <li>
          <Link to="/agents" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Bot aria-hidden size={16} /> Agents
          </Link>
        </li>
        <li>
          <Link to="/trash" className={style.link} activeProps={{ "aria-current": "page" }}>
            <Trash2 aria-hidden size={16} /> Trash
          </Link>
        </li>
      </ul>
    </>
  );
}

type Of = { kind: "drive" | "folder"; id: string; driveId: string; name: string };

function Branch({ kind, id, driveId, name }: Of) {
  const [isOpen, setOpen] = useState(false);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className={style.branch}>
        <button
          type="button"
          className={style.fold}
          aria-expanded={isOpen}
          aria-label={`Folders in ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron aria-hidden size={16} />
        </button>
        <Link to={`/${kind}/${id}` as string} className={style.link} activeProps={{ "aria-current": "page" }}>
          {kind === "drive" && <HardDrive aria-hidden size={16} />}
          <span className={style.name}>{name}</span>
        </Link>
      </div>
      {isOpen && <Folders kind={kind} id={id} driveId={driveId} />}
    </li>
  );
}

function Folders({ kind, id, driveId }: Omit<Of, "name">) {
  const source = useMemo(() => foldersIn({ kind, id, driveId }), [kind, id, driveId]);
  const { rows, isWhole } = useList(source);
  if (isWhole && !rows.length) return <p className={style.none}>No folders</p>;
  return (
    <ul className={style.below}>
      {rows.map((row) => (
        <Branch key={row.id} kind="folder" id={row.id} driveId={driveId} name={row.name} />
      ))}
    </ul>
  );
}
