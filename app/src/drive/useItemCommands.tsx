import { useNavigate } from "@tanstack/react-router";
import {
  Copy,
  Download,
  FolderInput,
  History,
  type LucideIcon,
  Pencil,
  Search,
  Star,
  StarOff,
  Trash2,
  Undo2,
  UserPlus,
} from "lucide-react";
import { Suspense, useState } from "react";
import type { Asked } from "../access/AccessDialog";
import type { ItemCapability, Row } from "../graphql/generated";
import { t } from "../messages/messages";
import { ConfirmDialog, type Question } from "../ui/ConfirmDialog";
import { lazyDialog } from "../ui/lazy_dialog";
import { MenuItem, MenuLink } from "../ui/menu";
import { NameDialog, type Naming } from "../ui/NameDialog";
import { type Target, useItemActions, useOpen } from "./actions";
import { ItemIcon } from "./ItemIcon";
import type { List } from "./list";
import { areStarred, useStars } from "./stars";

const AccessDialog = lazyDialog(() => import("../access/AccessDialog").then(({ AccessDialog }) => AccessDialog));
const CopyDialog = lazyDialog(() => import("./CopyDialog").then(({ CopyDialog }) => CopyDialog));
const MoveDialog = lazyDialog(() => import("./MoveDialog").then(({ MoveDialog }) => MoveDialog));

/** Something that is done with several items; it is for those that are `able`. */
type BulkCommand = { name: string; Icon: LucideIcon; able: Row[]; run: (rows: Row[]) => void };

/**
 * The commands of items, with the dialogs that they ask in: `menuOf` gives what the menu of an item has, `commands` what can be done
 * with several items, `acts` what a key does. Without a list they are for an item that is in none.
 */
export function useItemCommands(list?: Pick<List<unknown>, "reload" | "remove">, isTrash = false) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [moving, setMoving] = useState<{ rows: Row[]; to: Target | null } | null>(null);
  const [copied, setCopied] = useState<Row | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const actions = useItemActions(list);
  const star = useStars();
  const open = useOpen();
  const navigate = useNavigate();

  const trash = (rows: Row[]) => void actions.trash(thatMay("trash", rows));
  const restore = (rows: Row[]) => void actions.restore(thatMay("trash", rows));
  const erase = (rows: Row[]) => {
    const able = thatMay("deleteForever", rows);
    if (able.length) setQuestion(actions.deleting(able));
  };
  const move = (rows: Row[], to: Target | null = null) => {
    const able = thatMay("move", rows);
    if (able.length) setMoving({ rows: able, to });
  };
  const rename = (rows: Row[]) => {
    const [row] = rows;
    if (row?.capabilities.includes("edit")) setNaming(actions.renaming(row));
  };
  const toggleStars = (rows: Row[]) => void star(rows);
  const share = ([row]: Row[]) => row && setAsked({ kind: "item", id: row.id, name: row.name });
  const commands = (rows: Row[]): BulkCommand[] => {
    const many = rows.length > 1 ? rows.length : null;
    const that = (capability: ItemCapability) => thatMay(capability, rows);
    if (isTrash)
      return [
        { name: many ? t.lists.restoreMany(many) : t.lists.restore, Icon: Undo2, able: that("trash"), run: restore },
        {
          name: many ? t.lists.deleteManyForever(many) : t.lists.deleteForever,
          Icon: Trash2,
          able: that("deleteForever"),
          run: erase,
        },
      ];
    return [
      { name: t.lists.share, Icon: UserPlus, able: rows.length === 1 ? rows : [], run: share },
      areStarred(rows)
        ? { name: many ? t.stars.unstarMany(many) : t.stars.unstar, Icon: StarOff, able: rows, run: toggleStars }
        : { name: many ? t.stars.starMany(many) : t.stars.star, Icon: Star, able: rows, run: toggleStars },
      { name: many ? t.lists.moveMany(many) : t.lists.move, Icon: FolderInput, able: that("move"), run: move },
      { name: many ? t.lists.trashMany(many) : t.lists.trash, Icon: Trash2, able: that("trash"), run: trash },
    ];
  };
  const menuOf = (row: Row, rows: Row[]) => (
    <>
      {!isTrash && (
        <>
          <MenuItem onClick={() => open(row)}>
            <ItemIcon type={row.driveItemType} size={16} isHidden /> {t.lists.open}
          </MenuItem>
          {row.driveItemType === "folder" && (
            <MenuItem onClick={() => void navigate({ to: "/search", search: { q: "", folder: row.id } })}>
              <Search aria-hidden size={16} /> {t.lists.searchIn}
            </MenuItem>
          )}
          {row.driveItemType !== "folder" && row.capabilities.includes("versions") && (
            <MenuLink href={`/doc/${row.id}?panel=changes`}>
              <History aria-hidden size={16} /> {t.lists.history}
            </MenuLink>
          )}
          {row.driveItemType !== "folder" && (
            <MenuLink href={`/doc/${row.id}.md`} download={`${row.name}.md`}>
              <Download aria-hidden size={16} /> {t.lists.download}
            </MenuLink>
          )}
          <MenuItem disabled={!row.capabilities.includes("edit")} onClick={() => rename([row])}>
            <Pencil aria-hidden size={16} /> {t.lists.rename}
          </MenuItem>
          <MenuItem onClick={() => setCopied(row)}>
            <Copy aria-hidden size={16} /> {t.lists.copy}
          </MenuItem>
        </>
      )}
      {commands(rows).map(({ name, Icon, able, run }) => (
        <MenuItem key={name} disabled={!able.length} onClick={() => run(able)}>
          <Icon aria-hidden size={16} /> {name}
        </MenuItem>
      ))}
    </>
  );
  const dialogs = (
    <>
      {naming && <NameDialog naming={naming} close={() => setNaming(null)} />}
      {question && <ConfirmDialog question={question} close={() => setQuestion(null)} />}
      {asked && (
        <Suspense>
          <AccessDialog asked={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
      {copied && (
        <Suspense>
          <CopyDialog original={copied} close={() => setCopied(null)} />
        </Suspense>
      )}
      {moving && (
        <Suspense>
          <MoveDialog {...moving} move={actions.move} close={() => setMoving(null)} />
        </Suspense>
      )}
    </>
  );
  return {
    actions,
    acts: { rename, trash, erase, move, share, toggleStars },
    commands,
    menuOf,
    setNaming,
    setAsked,
    dialogs,
  };
}

function thatMay(capability: ItemCapability, rows: Row[]): Row[] {
  return rows.filter((row) => row.capabilities.includes(capability));
}
