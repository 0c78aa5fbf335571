import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Bot, Clock, House, type LucideIcon, Settings, Star, Trash2, Users } from "lucide-react";
import { useMemo } from "react";
import { FolderTree, type OpenWay } from "../drive/FolderTree";
import { ItemMenu } from "../drive/ItemMenu";
import { itemPlace } from "../drive/item_place";
import { NewDrive } from "../drive/NewDrive";
import { t } from "../messages/messages";
import style from "./Sidebar.module.css";

type Place = {
  to: "/" | "/recent" | "/starred" | "/shared" | "/agents" | "/trash";
  name: "home" | "recent" | "starred" | "shared" | "agents" | "trash";
  Icon: LucideIcon;
};

const PLACES: readonly Place[] = [
  { to: "/", name: "home", Icon: House },
  { to: "/recent", name: "recent", Icon: Clock },
  { to: "/starred", name: "starred", Icon: Star },
  { to: "/shared", name: "shared", Icon: Users },
  { to: "/agents", name: "agents", Icon: Bot },
];

/** The lists of items, the drives with their folders, and at the foot the trash and the settings. */
export function Sidebar() {
  return (
    <>
      <ul className={style.list}>
        {PLACES.map((place) => (
          <Entry key={place.to} place={place} />
        ))}
      </ul>
      <p className={style.title} aria-hidden>
        {t.shell.drives}
      </p>
      <FolderTree label={t.shell.tree} hasDocuments openWay={useOpenWay()} Menu={ItemMenu} />
      <NewDrive className={style.action} />
      <ul className={style.foot}>
        <Entry place={{ to: "/trash", name: "trash", Icon: Trash2 }} />
        <li>
          <a href="/settings/profile" className={style.link}>
            <Settings aria-hidden size={16} /> {t.shell.settings}
          </a>
        </li>
      </ul>
    </>
  );
}

/** The way to the document that is open, where the reader is a member of its drive. */
function useOpenWay(): OpenWay | undefined {
  const { documentId: id } = useParams({ strict: false });
  const { data } = useQuery({ ...itemPlace(id ?? ""), enabled: id !== undefined });
  return useMemo(() => {
    if (!data?.drive.role) return undefined;
    const driveId = data.drive.id;
    const folders = data.ancestors.map((step) => ({ ...step, driveId, driveItemType: "folder" as const }));
    return { driveId, steps: [...folders, data] };
  }, [data]);
}

function Entry({ place: { to, name, Icon } }: { place: Place }) {
  return (
    <li>
      <Link to={to} className={style.link} activeProps={{ "aria-current": "page" }}>
        <Icon aria-hidden size={16} /> {t.shell[name]}
      </Link>
    </li>
  );
}
