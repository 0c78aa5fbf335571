import { useNavigate, useSearch } from "@tanstack/react-router";
import {
  Copy,
  Download,
  FilePlus,
  FolderInput,
  FolderPlus,
  History,
  type LucideIcon,
  Pencil,
  Search,
  Star,
  StarOff,
  Trash2,
  Undo2,
  Upload,
  UserPlus,
} from "lucide-react";
import { type ReactNode, Suspense, useMemo, useRef, useState } from "react";
import type { Asked } from "../access/AccessDialog";
import type { ItemCapability, Row } from "../graphql/generated";
import { useConnection } from "../graphql/session";
import { t } from "../messages/messages";
import { ConfirmDialog, type Question } from "../ui/ConfirmDialog";
import { type Command, useCommands } from "../ui/commands";
import { KEYS } from "../ui/key_table";
import { lazyDialog } from "../ui/lazy_dialog";
import { MenuItem, MenuLink } from "../ui/menu";
import { NameDialog, type Naming } from "../ui/NameDialog";
import { Empty, Failed, Loading, NotLive, Stale } from "../ui/states";
import { useTitle } from "../ui/title";
import { type Place, type Target, useItemActions, useOpen } from "./actions";
import { type Arrangement, arranged, arrangementOf, type Narrowing, type Sort } from "./arrangement";
import { Chips } from "./Chips";
import { takingFiles } from "./drag";
import { type GridActions, ItemGrid } from "./ItemGrid";
import style from "./ListScreen.module.css";
import type { List } from "./list";
import { type Members, MembersButton } from "./MembersButton";
import { type Maker, NewMenu, Offers } from "./makers";
import { ACCEPTED } from "./markdown_file";
import { SelectionTool } from "./SelectionTool";
import { areStarred, useStars } from "./stars";

const AccessDialog = lazyDialog(() => import("../access/AccessDialog").then(({ AccessDialog }) => AccessDialog));
const CopyDialog = lazyDialog(() => import("./CopyDialog").then(({ CopyDialog }) => CopyDialog));
const MoveDialog = lazyDialog(() => import("./MoveDialog").then(({ MoveDialog }) => MoveDialog));

/** Something that is done with several items; it is for those that are `able`. */
type BulkCommand = { name: string; Icon: LucideIcon; able: Row[]; run: (rows: Row[]) => void };

type Props = {
  list: List<unknown>;
  title: string | undefined;
  above?: ReactNode;
  /** What is said below the title. */
  note?: string | null | undefined;
  /** Where new items go; null where none may be made. */
  place?: Place | null;
  /** The drive whose members are shown; null where it has none but its owner. */
  drive?: { id: string; name: string; membersConnection: Members } | null;
  /** What can be done to the place itself. */
  menu?: ReactNode;
  empty: string;
  isTrash?: boolean;
  /** The order of the list itself, where a column has it. */
  own?: Sort;
};

/** A list of items with what can be done with them: drives, folders, what is shared, and the trash. */
export function ListScreen({
  list,
  title,
  above,
  note = null,
  place = null,
  drive = null,
  menu,
  empty,
  isTrash = false,
  own,
}: Props) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [moving, setMoving] = useState<{ rows: Row[]; to: Target | null } | null>(null);
  const [copied, setCopied] = useState<Row | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const fileField = useRef<HTMLInputElement>(null);
  const actions = useItemActions(list);
  const star = useStars();
  const connection = useConnection();
  const open = useOpen();
  useTitle(title);
  const isBare = list.head === undefined;
  const arrangement: Arrangement = useSearch({ strict: false });
  const { sort = own, type, by } = arrangement;
  const navigate = useNavigate();
  const arrange = (given: Record<string, string>) => void navigate({ to: ".", search: arrangementOf(given) });
  const sortAs = (sort: string) => arrange({ ...arrangement, sort });
  const narrow = (to: Narrowing | null) => arrange({ ...(sort !== own && { sort }), ...to });
  const rows = useMemo(() => arranged(list.rows, { sort, type, by }, own), [list.rows, sort, type, by, own]);
  // a part of a list has its own order alone
  const isArranged = list.isWhole || sort === own;

  const importFiles = (chosen: FileList | null) => {
    if (place && chosen?.length) void actions.importFiles([...chosen], place);
  };
  const makers: Maker[] = place
    ? [
        {
          name: t.lists.newDocument,
          Icon: FilePlus,
          run: () => setNaming(actions.creating("docs_workbook", place)),
          keyName: "newDocument",
        },
        {
          name: t.lists.newFolder,
          Icon: FolderPlus,
          run: () => setNaming(actions.creating("folder", place)),
          keyName: "newFolder",
        },
        { name: t.lists.import, Icon: Upload, run: () => fileField.current?.click() },
      ]
    : [];
  const members = drive && (() => setAsked({ kind: "drive", id: drive.id, name: drive.name }));
  const offered: Command[] = [...makers];
  if (members) offered.push({ name: t.lists.members, run: members });
  useCommands(offered);

  if (list.failure && (isBare || list.failure.code === "NOT_FOUND"))
    return <Failed failure={list.failure} retry={list.reload} />;

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
  const grid: GridActions = {
    open: (row) => isTrash || open(row),
    keys: isTrash
      ? { [KEYS.discard.press]: erase }
      : {
          [KEYS.rename.press]: rename,
          [KEYS.discard.press]: trash,
          [KEYS.move.press]: move,
          [KEYS.share.press]: share,
          [KEYS.star.press]: toggleStars,
          // letters make things wherever the list, and nothing that is written in, has the keyboard
          ...Object.fromEntries(makers.flatMap(({ keyName, run }) => (keyName ? [[KEYS[keyName].press, run]] : []))),
        },
    menu: (row, rows) => (
      <>
        {!isTrash && (
          <>
            <MenuItem onClick={() => open(row)}>{t.lists.open}</MenuItem>
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
    ),
    selection: (rows) =>
      commands(rows).map(({ name, Icon, able, run }) => (
        <SelectionTool key={name} name={name} Icon={Icon} isOff={!able.length} onClick={() => run(able)} />
      )),
    ...(!isTrash && { drop: move }),
  };

  return (
    <div
      className={style.screen}
      data-old={list.failure !== null || connection !== "live"}
      {...(place && takingFiles(importFiles))}
    >
      <div className={style.top}>
        <div className={style.titles}>
          {above}
          <h1 title={title}>{title ?? <span className="unseen">{t.ui.loading}</span>}</h1>
          {note && <p className={style.note}>{note}</p>}
        </div>
        {list.rows.length > 0 && (
          <div className={`${style.buttons} ${style.narrow}`}>
            <select aria-label={t.lists.sort} value={sort ?? ""} onChange={({ target: { value } }) => sortAs(value)}>
              {own === undefined && <option value="">{t.lists.asItComes}</option>}
              {Object.entries(t.lists.sorts).map(([order, words]) => (
                <option key={order} value={order}>
                  {words}
                </option>
              ))}
            </select>
          </div>
        )}
        {(place || drive || menu) && (
          <div className={style.buttons}>
            {place && list.rows.length > 0 && <NewMenu makers={makers} />}
            {drive && members && <MembersButton members={drive.membersConnection} open={members} />}
            {menu}
          </div>
        )}
        {place && (
          <input
            ref={fileField}
            type="file"
            hidden
            multiple
            accept={ACCEPTED}
            onChange={({ target }) => {
              importFiles(target.files);
              target.value = ""; // the same file can be chosen again
            }}
          />
        )}
        <Chips rows={list.rows} arrangement={arrangement} narrow={narrow} />
      </div>
      {list.failure ? <Stale failure={list.failure} retry={list.reload} /> : <NotLive />}
      {isBare || !isArranged ? (
        <Loading />
      ) : rows.length || !list.isWhole ? (
        <ItemGrid
          rows={rows}
          label={title ?? t.lists.items}
          actions={grid}
          order={{ sort, sortAs }}
          {...(isTrash && { when: t.lists.trashed })}
        />
      ) : (
        <Empty>
          <p>{list.rows.length ? t.lists.nothingOfKind : empty}</p>
          {list.rows.length === 0 && makers.length > 0 && (
            <div className={style.next}>
              <Offers makers={makers} />
            </div>
          )}
        </Empty>
      )}
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
    </div>
  );
}

function thatMay(capability: ItemCapability, rows: Row[]): Row[] {
  return rows.filter((row) => row.capabilities.includes(capability));
}
