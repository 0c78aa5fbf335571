import { useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  ClipboardCopy,
  Copy,
  Download,
  FolderInput,
  Globe,
  History,
  type LucideIcon,
  Pencil,
  Printer,
  Star,
  StarOff,
  TextSearch,
  Trash2,
  UserPlus,
  WholeWord,
} from "lucide-react";
import { type RefObject, Suspense, useContext, useEffect, useState } from "react";
import type { ItemCapability } from "../graphql/generated";
import { t } from "../messages/messages";
import { useCommands } from "../ui/commands";
import { FindingContext } from "../ui/finding";
import { IconButton } from "../ui/IconButton";
import { KEYS, type Key, type KeyName } from "../ui/key_table";
import { useKeys } from "../ui/keys";
import { lazyDialog } from "../ui/lazy_dialog";
import { useCopyMarkdown } from "../ui/markdown";
import { MenuItem, MenuKeys, MenuLink, MoreMenu } from "../ui/menu";
import { useTitle } from "../ui/title";
import { useItemActions } from "./actions";
import style from "./DocumentActions.module.css";
import type { PlacedItem } from "./item_place";
import { useStars } from "./stars";

const AccessDialog = lazyDialog(() => import("../access/AccessDialog").then(({ AccessDialog }) => AccessDialog));
const CopyDialog = lazyDialog(() => import("./CopyDialog").then(({ CopyDialog }) => CopyDialog));
const MoveDialog = lazyDialog(() => import("./MoveDialog").then(({ MoveDialog }) => MoveDialog));

type Props = {
  item: PlacedItem;
  /** Has another name written in the place of the title. */
  rename: () => void;
  /** The field that it is written in. */
  field: RefObject<HTMLInputElement | null>;
};

type Action = {
  name: string;
  Icon: LucideIcon;
  /** The key that does it, in `KEYS`. */
  keyName?: KeyName;
  run: () => void;
};

/** What can be done with a document beside writing: to its name, to who has access, and to see it otherwise. */
export function DocumentActions({ item, rename, field }: Props) {
  const documentId = item.id;
  const [asked, setAsked] = useState<"copy" | "move" | "publish" | "share" | null>(null);
  const copyMarkdown = useCopyMarkdown();
  const finding = useContext(FindingContext);
  const navigate = useNavigate();
  const toggleStar = useStars();
  const actions = useItemActions();
  const may = (capability: ItemCapability) => item.capabilities.includes(capability);
  const close = () => setAsked(null);
  const star: Action = {
    name: item.isStarred ? t.stars.unstar : t.stars.star,
    Icon: item.isStarred ? StarOff : Star,
    keyName: "starPage",
    run: () => void toggleStar([item]),
  };
  const share: Action = {
    name: t.document.share,
    Icon: UserPlus,
    keyName: "sharePage",
    run: () => setAsked("share"),
  };
  const show = (panel: "outline" | "changes") =>
    void navigate({ to: "/doc/$documentId", params: { documentId }, search: { panel } });
  const offered = (...given: (Action | false | null)[]) => given.filter((each): each is Action => !!each);
  const first = offered(
    may("edit") && { name: t.document.rename, Icon: Pencil, keyName: "renamePage", run: rename },
    may("publish") && {
      name: t.document.publish,
      Icon: Globe,
      keyName: "publishPage",
      run: () => setAsked("publish"),
    },
    star,
    may("move") && { name: t.lists.move, Icon: FolderInput, keyName: "movePage", run: () => setAsked("move") },
    { name: t.lists.copy, Icon: Copy, keyName: "copyPage", run: () => setAsked("copy") },
    finding && { name: t.find.find, Icon: TextSearch, keyName: "findWords", run: finding.open },
    finding && { name: t.document.wordCount, Icon: WholeWord, run: () => show("outline") },
    may("versions") && { name: t.document.history, Icon: History, run: () => show("changes") },
  );
  const last = offered(
    copyMarkdown && {
      name: t.document.copyMarkdown,
      Icon: ClipboardCopy,
      keyName: "copyMarkdown",
      run: copyMarkdown,
    },
    { name: t.document.print, Icon: Printer, keyName: "print", run: () => print() },
    { name: t.document.download, Icon: Download, keyName: "download", run: () => download(item) },
    may("trash") && {
      name: t.lists.trash,
      Icon: Trash2,
      keyName: "discardPage",
      run: () => void actions.trash([item]),
    },
  );
  useTitle(item.name);
  useCommands([share, ...first, ...last]);
  useKeys(boundBy([share, ...first, ...last]));
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
      <button type="button" className={`quiet ${style.share}`} aria-label={t.document.share} onClick={share.run}>
        <UserPlus aria-hidden size={16} /> <span className={style.label}>{t.document.shareShort}</span>
      </button>
      <MoreMenu within="main" label={t.document.actions} after={() => field.current ?? finding?.field.current ?? true}>
        <Items actions={first} />
        <MenuLink href={`/doc/${documentId}?plain`}>
          <BookOpen aria-hidden size={16} /> {t.document.reading}
        </MenuLink>
        <Items actions={last} />
      </MoreMenu>
      <Suspense>
        {asked === "copy" && <CopyDialog original={item} close={close} />}
        {asked === "move" && <MoveDialog rows={[item]} to={null} move={actions.move} close={close} />}
        {(asked === "share" || asked === "publish") && (
          <AccessDialog
            asked={{ kind: "item", id: item.id, name: item.name, isPublishing: asked === "publish" }}
            close={close}
          />
        )}
      </Suspense>
    </>
  );
}

function Items({ actions }: { actions: Action[] }) {
  return actions.map(({ name, Icon, keyName, run }) => (
    <MenuItem key={name} onClick={run}>
      <Icon aria-hidden size={16} /> {name}
      {keyName && <MenuKeys>{t.keys[keyName].shown}</MenuKeys>}
    </MenuItem>
  ));
}

/** The keys of the page alone: those of the text are bound where it is. */
function boundBy(actions: Action[]): Record<string, () => void> {
  return Object.fromEntries(
    actions.flatMap(({ keyName, run }) => {
      const key: Key | null = keyName ? KEYS[keyName] : null;
      return key?.where === "page" && key.press ? [[key.press, run]] : [];
    }),
  );
}

function download({ id, name }: PlacedItem) {
  const link = document.createElement("a");
  link.href = `/doc/${id}.md`;
  link.download = `${name}.md`;
  link.click();
}
