import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { type Act, useOffer } from "../palette/acts";
import { lazily } from "../ui/lazily";
import { NameDialog } from "../ui/NameDialog";
import { useTitle } from "../ui/title";
import { useActs } from "./acts";
import style from "./ListScreen.module.css";
import type { PlacedItem } from "./place";
import { Breadcrumbs } from "./screens";

const AccessDialog = lazily(() => import("../access").then(({ AccessDialog }) => AccessDialog));

/** The document is in no list here. */
const ALONE = { reload: () => undefined, remove: () => undefined };

/** Where a document lies, and the ways to another name, to its history, to who has access, and to its read-only page, which draws its charts. */
export function DocumentPlace({ item }: { item: PlacedItem }) {
  const documentId = item.id;
  const [isSharing, setSharing] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const { renaming } = useActs(ALONE);
  const navigate = useNavigate();
  useTitle(item.name);
  const offered: Act[] = [];
  if (item.capabilities.includes("edit")) offered.push({ name: "Rename…", run: () => setRenaming(true) });
  offered.push({ name: "Share…", run: () => setSharing(true) });
  if (item.capabilities.includes("versions")) {
    const run = () => void navigate({ to: "/doc/$documentId/history", params: { documentId }, search: {} });
    offered.push({ name: "History", run });
  }
  useOffer(offered);
  const isFolder = item.driveItemType === "folder";
  useEffect(() => {
    if (isFolder) location.replace(`/folder/${documentId}`);
  }, [isFolder, documentId]);
  if (isFolder) return null;
  return (
    <div className={style.above}>
      <Breadcrumbs above={{ drive: item.drive, path: item.ancestors }} />
      <div className={style.ways}>
        <a href={`/doc/${documentId}?plain`}>Reading page</a>
        {item.capabilities.includes("versions") && (
          <Link to="/doc/$documentId/history" params={{ documentId }} search={{}}>
            History
          </Link>
        )}
        {item.capabilities.includes("edit") && (
          <button type="button" className="quiet" onClick={() => setRenaming(true)}>
            Rename…
          </button>
        )}
        <button type="button" className="quiet" onClick={() => setSharing(true)}>
          Share…
        </button>
      </div>
      {isRenaming && <NameDialog naming={renaming(item)} close={() => setRenaming(false)} />}
      {isSharing && (
        <Suspense>
          <AccessDialog asked={{ kind: "item", id: item.id, name: item.name }} close={() => setSharing(false)} />
        </Suspense>
      )}
    </div>
  );
}
