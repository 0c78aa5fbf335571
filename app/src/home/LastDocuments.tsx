import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { hrefOf } from "../drive/actions";
import { useDrives } from "../drive/drives";
import { ItemIcon } from "../drive/ItemIcon";
import listStyle from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { LastDocuments as LastDocumentsQuery } from "../graphql/generated";
import { answer } from "../graphql/queries";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { nameOf } from "../ui/authors";
import { driveName } from "../ui/drive_name";
import { Moment } from "../ui/Moment";
import style from "./home.module.css";

function lastDocuments(userId: string) {
  return answer(
    ["last documents"],
    async (signal) => (await ask(LastDocumentsQuery, { userId }, signal)).search.nodes,
    (event, rows) => event.by?.userId === userId || !!rows?.some(({ id }) => id === event.itemId),
  );
}

/** The documents that the reader made or wrote in last, the last first; nothing where there is none. */
export function LastDocuments() {
  const viewer = useViewer();
  const drives = useDrives();
  const { data: rows = [] } = useQuery(lastDocuments(viewer.id));
  if (rows.length === 0) return null;
  return (
    <>
      <h2 className={listStyle.section}>{t.home.continue}</h2>
      <ul className={listStyle.cards}>
        {rows.map((row) => {
          const drive = drives.find(({ id }) => id === row.driveId);
          const { updatedBy } = row;
          const isOwn = updatedBy.userId === viewer.id && updatedBy.agent === null;
          return (
            <li key={row.id}>
              <Link to={hrefOf(row)}>
                <strong>
                  <ItemIcon type={row.driveItemType} size={16} isHidden />
                  <span>{row.name}</span>
                </strong>
                <span className={style.where}>
                  {[...(drive ? [driveName(drive)] : []), ...(row.path ?? []).map(({ name }) => name)].join(" / ")}
                </span>
                {isOwn ? t.ui.you : nameOf(updatedBy)} · <Moment at={row.updatedAt} />
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}
