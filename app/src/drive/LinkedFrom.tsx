/** The documents that link to this one, of those that the reader sees. */

import { useId } from "react";
import { ask } from "../graphql/ask";
import { Backlinks, type Row } from "../graphql/generated";
import { t } from "../messages/messages";
import { ItemIcon } from "./ItemIcon";
import { ItemLink } from "./ItemLink";
import style from "./LinkedFrom.module.css";
import { useList, wholeList } from "./list";

const NONE = { nodes: [] as Row[], pageInfo: { hasNextPage: false, endCursor: null } };

function backlinksOf(id: string) {
  return {
    ...wholeList<true>(
      ["items", "backlinks", id],
      async (after, signal) => {
        const { nodes, pageInfo } = (await ask(Backlinks, { id, after }, signal)).driveItem?.backlinks ?? NONE;
        return { head: true, rows: nodes, next: pageInfo };
      },
      ({ type, itemId }, list) => type !== "documentEdited" && !!list?.rows.some((row) => row.id === itemId),
    ),
    // no event tells of a link that was written
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
  } as const;
}

export function LinkedFrom({ documentId }: { documentId: string }) {
  const { rows } = useList(backlinksOf(documentId));
  const id = useId();
  if (!rows.length) return null;
  return (
    <section className={style.linked} aria-labelledby={id}>
      <h2 id={id}>{t.document.linkedFrom}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <ItemIcon type={row.driveItemType} size={16} isHidden />
            <ItemLink item={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}
