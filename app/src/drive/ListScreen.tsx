import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { ArrowDownUp, FilePlus, FolderPlus, Upload } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useConnection } from "../graphql/session";
import { t } from "../messages/messages";
import { type Command, useCommands } from "../ui/commands";
import { whenIdle } from "../ui/idle";
import { KEYS } from "../ui/key_table";
import { Empty, Failed, Loading, NotLive, Stale } from "../ui/states";
import { useTitle } from "../ui/title";
import { type Place, useOpen } from "./actions";
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
import { useItemCommands } from "./useItemCommands";

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
  const fileField = useRef<HTMLInputElement>(null);
  const { actions, acts, commands, menuOf, setNaming, setAsked, dialogs } = useItemCommands(list, isTrash);
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

  usePreloadedDocument(list.rows.find((row) => row.driveItemType !== "folder")?.id);

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

  const grid: GridActions = {
    open: (row) => isTrash || open(row),
    keys: isTrash
      ? { [KEYS.discard.press]: acts.erase }
      : {
          [KEYS.rename.press]: acts.rename,
          [KEYS.discard.press]: acts.trash,
          [KEYS.move.press]: acts.move,
          [KEYS.share.press]: acts.share,
          [KEYS.star.press]: acts.toggleStars,
          // letters make things wherever the list, and nothing that is written in, has the keyboard
          ...Object.fromEntries(makers.flatMap(({ keyName, run }) => (keyName ? [[KEYS[keyName].press, run]] : []))),
        },
    menu: menuOf,
    selection: (rows) =>
      commands(rows).map(({ name, Icon, able, run }) => (
        <SelectionTool key={name} name={name} Icon={Icon} isOff={!able.length} onClick={() => run(able)} />
      )),
    ...(!isTrash && { drop: acts.move }),
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
          <h1>{title ?? <span className="unseen">{t.ui.loading}</span>}</h1>
          {note && <p className={style.note}>{note}</p>}
        </div>
        {list.rows.length > 0 && (
          <div className={`${style.buttons} ${style.narrow}`}>
            <select
              aria-label={t.lists.sort}
              title={t.lists.sort}
              value={sort ?? ""}
              onChange={({ target: { value } }) => sortAs(value)}
            >
              {own === undefined && <option value="">{t.lists.asItComes}</option>}
              {Object.entries(t.lists.sorts).map(([order, words]) => (
                <option key={order} value={order}>
                  {words}
                </option>
              ))}
            </select>
            <ArrowDownUp aria-hidden size={18} />
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
      {dialogs}
    </div>
  );
}

/** Load the scripts of the document screen while the browser is idle, so that a document opens without waiting for them. */
function usePreloadedDocument(documentId: string | undefined) {
  const router = useRouter();
  useEffect(
    () =>
      documentId === undefined
        ? undefined
        : whenIdle(() => void router.preloadRoute({ to: "/doc/$documentId", params: { documentId } })),
    [router, documentId],
  );
}
