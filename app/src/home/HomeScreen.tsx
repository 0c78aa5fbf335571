import { Link } from "@tanstack/react-router";
import { Bot, Building2, FilePlus, HardDrive, KeyRound, type LucideIcon, Users } from "lucide-react";
import { useState } from "react";
import { useItemActions } from "../drive/actions";
import { useDrives } from "../drive/drives";
import style from "../drive/ListScreen.module.css";
import { NewDrive } from "../drive/NewDrive";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { useCommands } from "../ui/commands";
import { driveName } from "../ui/drive_name";
import { NameDialog } from "../ui/NameDialog";
import { useTitle } from "../ui/title";
import { ChangedMeanwhile } from "./ChangedMeanwhile";
import { LastDocuments } from "./LastDocuments";

/** Where somebody begins: what others changed while they were away, their drives, and what is shared with them. */
export function HomeScreen() {
  const viewer = useViewer();
  const drives = useDrives();
  const own = drives.find(({ kind, capabilities }) => kind === "personal" && capabilities.includes("createItem"));
  const [isNaming, setNaming] = useState(false);
  const { creating } = useItemActions();
  const make = () => setNaming(true);
  useTitle(t.shell.home);
  useCommands(own ? [{ name: t.lists.newDocument, run: make }] : []);
  return (
    <div className={style.home}>
      <div className={style.headed}>
        <h1 className={style.section}>{t.home.welcome(viewer.name)}</h1>
        {own && (
          <button type="button" onClick={make}>
            <FilePlus aria-hidden size={16} /> {t.lists.newDocument}
          </button>
        )}
      </div>
      {isNaming && own && (
        <NameDialog naming={creating("docs_workbook", { kind: "drive", id: own.id })} close={() => setNaming(false)} />
      )}
      {!viewer.emailVerified && (
        <p className={style.hint}>
          {t.home.unconfirmed} <a href="/settings/profile">{t.home.confirm}</a>
        </p>
      )}
      <ChangedMeanwhile />
      <LastDocuments />
      <div className={style.headed}>
        <h2 className={style.section}>{t.home.drives}</h2>
        <NewDrive className="quiet" />
      </div>
      <ul className={style.cards}>
        {drives.map((drive) => (
          <li key={drive.id}>
            <Link to="/drive/$driveId" params={{ driveId: drive.id }}>
              <CardName Icon={HardDrive} name={driveName(drive)} />
              {drive.role === null || drive.kind === "personal"
                ? t.home.onlyYou
                : t.home.asRole(t.access.roles[drive.role])}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/shared">
            <CardName Icon={Users} name={t.shell.shared} />
            {t.home.sharedNote}
          </Link>
        </li>
      </ul>
      <h2 className={style.section}>{t.home.setUp}</h2>
      <ul className={style.cards}>
        <li>
          <a href="/settings/agents">
            <CardName Icon={Bot} name={t.shell.connectAgent} />
            {t.home.agentNote}
          </a>
        </li>
        <li>
          <a href="/settings/organizations">
            <CardName Icon={Building2} name={t.home.organizations} />
            {t.home.organizationsNote}
          </a>
        </li>
        <li>
          <a href="/settings/keys">
            <CardName Icon={KeyRound} name={t.home.keys} />
            {t.home.keysNote}
          </a>
        </li>
      </ul>
    </div>
  );
}

function CardName({ Icon, name }: { Icon: LucideIcon; name: string }) {
  return (
    <strong>
      <Icon aria-hidden size={16} />
      <span>{name}</span>
    </strong>
  );
}
