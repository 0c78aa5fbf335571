import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ask } from "../graphql/ask";
import { ItemPlace, type ItemPlaceData } from "../graphql/generated";
import { useTitle } from "../ui/title";
import style from "./ListScreen.module.css";
import { Breadcrumbs } from "./screens";

/** Where a document lies, and the ways to its history and to its read-only page, which draws its charts. */
export function DocumentPlace({ documentId }: { documentId: string }) {
  const [item, setItem] = useState<ItemPlaceData["driveItem"]>(null);
  useTitle(item?.name);
  useEffect(() => {
    let isCurrent = true;
    ask(ItemPlace, { id: documentId }).then(
      ({ driveItem }) => {
        if (driveItem?.driveItemType === "folder") location.replace(`/folder/${documentId}`);
        else if (isCurrent) setItem(driveItem);
      },
      () => undefined, // the document's own screen says what is wrong
    );
    return () => {
      isCurrent = false;
    };
  }, [documentId]);
  if (!item) return null;
  return (
    <div className={style.above}>
      <Breadcrumbs above={{ drive: item.drive, path: item.ancestors }} />
      <a href={`/doc/${documentId}?plain`}>Reading page</a>
      {item.capabilities.includes("versions") && (
        <Link to="/doc/$documentId/history" params={{ documentId }} search={{}}>
          History
        </Link>
      )}
    </div>
  );
}
