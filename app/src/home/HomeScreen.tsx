import { Link } from "@tanstack/react-router";
import { FilePlus } from "lucide-react";
import { useState } from "react";
import { useItemActions } from "../drive/actions";
import { useDrives } from "../drive/drives";
import style from "../drive/ListScreen.module.css";
import { NewDrive } from "../drive/NewDrive";
import { useViewer } from "../graphql/session";
import { useCommands } from "../ui/commands";
import { NameDialog } from "../ui/NameDialog";
import { useTitle } from "../ui/title";
import { ChangedMeanwhile } from "./ChangedMeanwhile";

/** There is no list here that a new document comes into. */
const ALONE = { reload: () => undefined, remove: () => undefined };

/** Where somebody begins: what others changed while they were away, their drives, and what is shared with them. */
export function HomeScreen() {
  const viewer = useViewer();
  const drives = useDrives();
  const own = drives.find(({ kind, capabilities }) => kind === "personal" && capabilities.includes("createItem"));
  const [isNaming, setNaming] = useState(false);
  const { creating } = useItemActions(ALONE);
  const make = () => setNaming(true);
  useTitle("Home");
  useCommands(own ? [{ name: "New document", run: make }] : []);
  return (
    <>
      <div className={style.headed}>
        <h1 className={style.section}>Welcome, {viewer.name}</h1>
        {own && (
          <button type="button" onClick={make}>
            <FilePlus aria-hidden size={16} /> New document
          </button>
        )}
      </div>
      {isNaming && own && (
        <NameDialog naming={creating("docs_workbook", { kind: "drive", id: own.id })} close={() => setNaming(false)} />
      )}
      {!viewer.emailVerified && (
        <p className={style.note}>
          Your address is not confirmed yet: what others share with it waits. <a href="/settings/profile">Confirm it</a>
          .
        </p>
      )}
      <ChangedMeanwhile />
      <div className={style.headed}>
        <h2 className={style.section}>Your drives</h2>
        <NewDrive className="quiet" />
      </div>
      <ul className={style.cards}>
        {drives.map((drive) => (
          <li key={drive.id}>
            <Link to="/drive/$driveId" params={{ driveId: drive.id }}>
              <strong>{drive.name}</strong>
              {drive.kind === "personal" ? "only you" : `shared, you are ${drive.role}`}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/shared">
            <strong>Shared with you</strong>
            items that others shared with you
          </Link>
        </li>
      </ul>
      <h2 className={style.section}>Set up</h2>
      <ul className={style.cards}>
        <li>
          <a href="/settings/agents">
            <strong>Connect an agent</strong>
            software that works beside you
          </a>
        </li>
        <li>
          <a href="/settings/organizations">
            <strong>Organizations</strong>
            members, roles and invitations
          </a>
        </li>
        <li>
          <a href="/settings/keys">
            <strong>API keys</strong>
            for scripts and the command line
          </a>
        </li>
      </ul>
    </>
  );
}
