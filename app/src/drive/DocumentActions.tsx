import { useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  ClipboardCopy,
  Copy,
  Download,
  History,
  Pencil,
  Star,
  StarOff,
  TextSearch,
  UserPlus,
  WholeWord,
} from "lucide-react";
import { type RefObject, Suspense, useContext, useEffect, useState } from "react";
import { t } from "../messages/messages";
import { type Command, useCommands } from "../ui/commands";
import { FindingContext } from "../ui/finding";
import { IconButton } from "../ui/IconButton";
import { lazyDialog } from "../ui/lazy_dialog";
import { useCopyMarkdown } from "../ui/markdown";
import { MenuItem, MenuLink, MoreMenu } from "../ui/menu";
import { useTitle } from "../ui/title";
import style from "./DocumentActions.module.css";
import type { PlacedItem } from "./item_place";
import { useStars } from "./stars";

const AccessDialog = lazyDialog(() => import("../access/AccessDialog").then(({ AccessDialog }) => AccessDialog));
const CopyDialog = lazyDialog(() => import("./CopyDialog").then(({ CopyDialog }) => CopyDialog));

type Props = {
  item: PlacedItem;
  /** Has another name written in the place of the title. */
  rename: () => void;
  /** The field that it is written in. */
  field: RefObject<HTMLInputElement | null>;
};

/** What can be done with a document beside writing: to its name, to who has access, and to see it otherwise. */
export function DocumentActions({ item, rename, field }: Props) {
  const documentId = item.id;
  const [isSharing, setSharing] = useState(false);
  const [isCopying, setCopying] = useState(false);
  const copyMarkdown = useCopyMarkdown();
  const finding = useContext(FindingContext);
  const navigate = useNavigate();
  const toggleStar = useStars();
  const star = item.isStarred
    ? { name: t.stars.unstar, Icon: StarOff, run: () => void toggleStar([item]) }
    : { name: t.stars.star, Icon: Star, run: () => void toggleStar([item]) };
  const mayRename = item.capabilities.includes("edit");
  const hasHistory = item.capabilities.includes("versions");
  const history = { to: "/doc/$documentId", params: { documentId }, search: { panel: "changes" } } as const;
  const count = { to: "/doc/$documentId", params: { documentId }, search: { panel: "outline" } } as const;
  useTitle(item.name);
  const offered: Command[] = [];
  if (mayRename) offered.push({ name: t.document.rename, run: rename });
  offered.push({ name: t.document.share, run: () => setSharing(true) });
  if (finding) offered.push({ name: t.find.find, run: finding.open });
  if (finding) offered.push({ name: t.document.wordCount, run: () => void navigate(count) });
  offered.push(star);
  offered.push({ name: t.lists.copy, run: () => setCopying(true) });
  if (copyMarkdown) offered.push({ name: t.document.copyMarkdown, run: copyMarkdown });
  if (hasHistory) offered.push({ name: t.document.history, run: () => void navigate(history) });
  useCommands(offered);
  const isFolder = item.driveItemType === "folder";
  useEffect(() => {
    if (isFolder) location.replace(`/folder/${documentId}`);
  }, [isFolder, documentId]);
  if (isFolder) return null;
  return (
    <>
      <span className={style.star}>
        <IconButton
          label={t.stars.star}
          title={star.name}
          Icon={Star}
          aria-pressed={item.isStarred}
          onClick={star.run}
        />
      </span>
      <button
        type="button"
        className={`quiet ${style.share}`}
        aria-label={t.document.share}
        onClick={() => setSharing(true)}
      >
        <UserPlus aria-hidden size={16} /> <span className={style.label}>{t.document.shareShort}</span>
      </button>
      <MoreMenu within="main" label={t.document.actions} after={() => field.current ?? finding?.field.current ?? true}>
        {mayRename && (
          <MenuItem onClick={rename}>
            <Pencil aria-hidden size={16} /> {t.document.rename}
          </MenuItem>
        )}
        {finding && (
          <MenuItem onClick={finding.open}>
            <TextSearch aria-hidden size={16} /> {t.find.find}
          </MenuItem>
        )}
        {finding && (
          <MenuItem onClick={() => void navigate(count)}>
            <WholeWord aria-hidden size={16} /> {t.document.wordCount}
          </MenuItem>
        )}
        <MenuItem onClick={star.run}>
          <star.Icon aria-hidden size={16} /> {star.name}
        </MenuItem>
        <MenuItem onClick={() => setCopying(true)}>
          <Copy aria-hidden size={16} /> {t.lists.copy}
        </MenuItem>
        {hasHistory && (
          <MenuItem onClick={() => void navigate(history)}>
            <History aria-hidden size={16} /> {t.document.history}
          </MenuItem>
        )}
        <MenuLink href={`/doc/${documentId}?plain`}>
          <BookOpen aria-hidden size={16} /> {t.document.reading}
        </MenuLink>
        {copyMarkdown && (
          <MenuItem onClick={copyMarkdown}>
            <ClipboardCopy aria-hidden size={16} /> {t.document.copyMarkdown}
          </MenuItem>
        )}
        <MenuLink href={`/doc/${documentId}.md`} download={`${item.name}.md`}>
          <Download aria-hidden size={16} /> {t.document.download}
        </MenuLink>
      </MoreMenu>
      {isCopying && (
        <Suspense>
          <CopyDialog original={item} close={() => setCopying(false)} />
        </Suspense>
      )}
      {isSharing && (
        <Suspense>
          <AccessDialog asked={{ kind: "item", id: item.id, name: item.name }} close={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  );
}
