import { Link } from "@tanstack/react-router";
import { boot } from "../boot";
import { useDrives } from "../drive/drives";
import style from "../drive/ListScreen.module.css";
import { NewDrive } from "../drive/NewDrive";
import { useTitle } from "../ui/title";
import { ChangedMeanwhile } from "./ChangedMeanwhile";

/** Where somebody begins: what others changed while they were away, their drives, and what is shared with them. */
export function HomeScreen() {
  const drives = useDrives();
  useTitle("Home");
  return (
    <>
      <h1 className={style.section}>Welcome, {boot.viewer.name}</h1>
      {!boot.viewer.emailVerified && (
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
              {drive.kind === "personal" ? "your own" : `shared, you are its ${drive.role}`}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/shared">
            <strong>Shared with you</strong>
            what others gave you, one by one
          </Link>
        </li>
      </ul>
      <h2 className={style.section}>Go on</h2>
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
