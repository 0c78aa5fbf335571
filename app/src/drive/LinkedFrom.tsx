/** The documents that link to this one, of those that the reader sees. */

import { useId } from "react";
import { ask } from "../graphql/ask";
import { Backlinks, type Row } from "../graphql/generated";
import { NO_PAGE, pages, usePages } from "../graphql/queries";
import { t } from "../messages/messages";
import { ShowMore } from "../ui/ShowMore";
import { ItemIcon } from "./ItemIcon";
import { ItemLink } from "./ItemLink";
import style from "./LinkedFrom.module.css";

function backlinksOf(id: string) {
  return {
    ...pages<Row>(
      ["backlinks", id],
      async (after, signal) => {
        const { driveItem } = await ask(Backlinks, { id, after }, signal);
        return driveItem ? { entries: driveItem.backlinks.nodes, next: driveItem.backlinks.pageInfo } : NO_PAGE;
      },
      ({ type, itemId }, rows) => type !== "documentEdited" && !!rows?.some((row) => row.id === itemId),
    ),
    // no event tells of a link that was written
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
  } as const;
}

export function LinkedFrom({ documentId }: { documentId: string }) {
  const list = usePages(backlinksOf(documentId));
  const id = useId();
  if (!list.entries?.length) return null;
  return (
    <section className={style.linked} aria-labelledby={id}>
      <h2 id={id}>{t.document.linkedFrom}</h2>
      <ul>
        {list.entries.map((row) => (
          <li key={row.id}>
            <ItemIcon type={row.driveItemType} size={16} isHidden />
            <ItemLink item={row} />
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </section>
  );
}
