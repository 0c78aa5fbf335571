import { useNavigate } from "@tanstack/react-router";
import { ask, failure } from "../graphql/ask";
import {
  CreateChild,
  CreateItem,
  DeleteItemForever,
  type DriveItemType,
  MoveItem,
  RenameItem,
  RestoreItem,
  type Row,
  TrashItem,
  WriteNewDocument,
} from "../graphql/generated";
import { t } from "../messages/messages";
import type { Question } from "../ui/ConfirmDialog";
import type { Naming } from "../ui/NameDialog";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import type { List } from "./list";
import { MAX_FILES, markdownOf, nameOfFile } from "./markdown_file";

/** Where new items go. */
export type Place = { kind: "drive" | "folder"; id: string };

/** Where items can go: the root of a drive, or a folder. */
export type Target = { kind: "drive" | "folder"; id: string; driveId: string; name: string };

/** What an act was refused for, in the server's words. */
export type Refusal<Given = Row> = { of: Given; message: string };

/** The kinds of items, in the order in which lists offer them. */
export const KINDS: readonly DriveItemType[] = ["folder", "docs_workbook", "viz_workbook"];

export function isKind(given: unknown): given is DriveItemType {
  return KINDS.some((kind) => kind === given);
}

/** For an item that is in no list. */
const ALONE = { reload: () => undefined, remove: () => undefined };

/** What a person does with the items of a list, or with one alone. Each act is told in a toast, with Undo where it can be taken back. */
export function useItemActions(list: Pick<List<unknown>, "reload" | "remove"> = ALONE) {
  const { notify, warn } = useToast();
  const open = useOpen();

  const trash = ({ id }: Row) => ask(TrashItem, { itemId: id });
  const restore = ({ id }: Row) => ask(RestoreItem, { itemId: id });
  const moveBack = ({ id, driveId, parentId }: Row) => ask(MoveItem, { itemId: id, driveId, parentId });

  /** Take an act back for each item. */
  async function undo(rows: Row[], act: (row: Row) => Promise<unknown>) {
    await each(rows, act);
    list.reload();
  }

  /** Run an act that takes the items out of the list. */
  async function takeOut(rows: Row[], act: (row: Row) => Promise<unknown>): Promise<Row[]> {
    list.remove(new Set(rows.map((row) => row.id)));
    const done = await each(rows, act);
    if (done.length < rows.length) list.reload();
    return done;
  }

  /** Run an act for each item or file; those that are refused are told with the server's own words. */
  async function each<Given extends { name: string }>(
    given: Given[],
    act: (each: Given) => Promise<unknown>,
  ): Promise<Given[]> {
    const { done, refused } = await attempt(given, act);
    for (const { of, message } of refused) warn(t.items.refused(of.name, sentence(message)));
    return done;
  }

  async function importFile(file: File, place: Place): Promise<Row> {
    const markdown = await markdownOf(file);
    const made = await create("docs_workbook", nameOfFile(file), place);
    try {
      await ask(WriteNewDocument, { documentId: made.id, markdown });
    } catch (fault) {
      await trash(made);
      throw fault;
    }
    return made;
  }

  return {
    async trash(rows: Row[]) {
      const done = await takeOut(rows, trash);
      if (done.length) notify(t.items.trashed(named(done), done.length), () => void undo(done, restore));
    },
    async restore(rows: Row[]) {
      const done = await takeOut(rows, restore);
      if (done.length) notify(t.items.restored(named(done), done.length), () => void undo(done, trash));
    },
    deleting: (rows: Row[]): Question => ({
      title: t.items.deleting(named(rows)),
      warning: t.items.deletingWarning,
      names: rows.map(({ name, driveItemType }) =>
        driveItemType === "folder" ? t.items.withContent(name) : t.items.withVersions(name),
      ),
      verb: t.items.deleteVerb,
      async run() {
        const done = await takeOut(rows, ({ id }) => ask(DeleteItemForever, { itemId: id }));
        if (done.length) notify(t.items.deleted(named(done), done.length));
      },
    }),
    async move(rows: Row[], target: Target): Promise<Refusal[]> {
      const unseen = new Set<Row>();
      const { done, refused } = await attempt(rows, async (row) => {
        const { moveItem } = await ask(MoveItem, { itemId: row.id, ...placeOf(target) });
        if (!moveItem) unseen.add(row); // it is out of the reader's sight, who cannot bring it back
      });
      const back = done.filter((row) => !unseen.has(row));
      if (done.length) {
        list.reload();
        notify(t.items.moved(named(done), target.name), back.length ? () => void undo(back, moveBack) : undefined);
      }
      return refused;
    },
    renaming: (row: Row): Naming => ({
      title: t.items.renaming(row.name),
      verb: t.lists.rename,
      name: row.name,
      async give(name) {
        if (name === row.name) return;
        await ask(RenameItem, { itemId: row.id, name });
        list.reload();
        const nameBack = ({ id, name }: Row) => ask(RenameItem, { itemId: id, name });
        notify(t.items.renamed(row.name, name), () => void undo([row], nameBack));
      },
    }),
    creating: (type: DriveItemType, place: Place): Naming => ({
      title: t.items.creating[type],
      verb: t.items.create,
      name: type === "folder" ? t.lists.newFolder : t.lists.untitled,
      async give(name) {
        const made = await create(type, name, place);
        if (type === "folder") list.reload();
        else open(made);
      },
    }),
    /** Make a document of each file of Markdown. */
    async importFiles(files: File[], place: Place) {
      if (files.length > MAX_FILES) return warn(t.items.tooManyFiles(MAX_FILES));
      const made: Row[] = [];
      await each(files, async (file) => made.push(await importFile(file, place)));
      list.reload();
      if (made.length) notify(t.items.imported(named(made), made.length), () => void undo(made, trash));
    },
  };
}

/** Make an empty item in a place. */
export async function create(type: DriveItemType, name: string, { kind, id }: Place): Promise<Row> {
  return kind === "drive"
    ? (await ask(CreateItem, { driveId: id, name, type })).createItem
    : (await ask(CreateChild, { itemId: id, name, type })).createChild;
}

/** Run an act for one after the other; what is refused of one does not keep the others. */
async function attempt<Given>(
  given: Given[],
  act: (each: Given) => Promise<unknown>,
): Promise<{ done: Given[]; refused: Refusal<Given>[] }> {
  const done: Given[] = [];
  const refused: Refusal<Given>[] = [];
  for (const each of given) {
    try {
      await act(each);
      done.push(each);
    } catch (fault) {
      refused.push({ of: each, message: failure(fault).message });
    }
  }
  return { done, refused };
}

export function placeOf({ kind, id, driveId }: Target): { driveId: string; parentId: string | null } {
  return { driveId, parentId: kind === "drive" ? null : id };
}

export function named(rows: Row[]): string {
  const [first] = rows;
  return rows.length === 1 && first ? t.items.named(first.name) : t.items.counted(rows.length);
}

/** Return what opens an item. */
export function useOpen() {
  const navigate = useNavigate();
  return (row: Pick<Row, "id" | "driveItemType">) => void navigate({ href: hrefOf(row) });
}

/** Where an item is shown. */
export function hrefOf(row: Pick<Row, "id" | "driveItemType">): string {
  return `/${row.driveItemType === "folder" ? "folder" : "doc"}/${row.id}`;
}
