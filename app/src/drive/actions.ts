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

export const KINDS: Record<DriveItemType, string> = {
  folder: "Folder",
  docs_workbook: "Document",
  viz_workbook: "Chart document",
};

/** What a person does with the items of a list. Each act is told in a toast, with Undo where it can be taken back. */
export function useItemActions(list: Pick<List<unknown>, "reload" | "remove">) {
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
    for (const { of, message } of refused) warn(`“${of.name}”: ${sentence(message)}`);
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
      if (done.length) notify(`${named(done)} ${be(done)} in the trash.`, () => void undo(done, restore));
    },
    async restore(rows: Row[]) {
      const done = await takeOut(rows, restore);
      const place = done.length === 1 ? "its place" : "their places";
      if (done.length) notify(`${named(done)} ${be(done)} back in ${place}.`, () => void undo(done, trash));
    },
    deleting: (rows: Row[]): Question => ({
      title: `Delete ${named(rows)} for ever`,
      warning: "This cannot be taken back. What is deleted:",
      names: rows.map(({ name, driveItemType }) =>
        driveItemType === "folder" ? `“${name}” with all that lies in it` : `“${name}” with its versions`,
      ),
      verb: "Delete for ever",
      async run() {
        const done = await takeOut(rows, ({ id }) => ask(DeleteItemForever, { itemId: id }));
        if (done.length) notify(`${named(done)} ${be(done)} deleted for ever.`);
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
        notify(`${named(done)} moved to “${target.name}”.`, back.length ? () => void undo(back, moveBack) : undefined);
      }
      return refused;
    },
    renaming: (row: Row): Naming => ({
      title: `Rename “${row.name}”`,
      verb: "Rename",
      name: row.name,
      async give(name) {
        if (name === row.name) return;
        await ask(RenameItem, { itemId: row.id, name });
        list.reload();
        const nameBack = ({ id, name }: Row) => ask(RenameItem, { itemId: id, name });
        notify(`“${row.name}” is now “${name}”.`, () => void undo([row], nameBack));
      },
    }),
    creating: (type: DriveItemType, place: Place): Naming => ({
      title: `New ${KINDS[type].toLowerCase()}`,
      verb: "Create",
      name: type === "folder" ? "New folder" : "Untitled",
      async give(name) {
        const made = await create(type, name, place);
        if (type === "folder") list.reload();
        else open(made);
      },
    }),
    /** Make a document of each file of Markdown. */
    async importFiles(files: File[], place: Place) {
      if (files.length > MAX_FILES) return warn(`At most ${MAX_FILES} files are imported at once.`);
      const made: Row[] = [];
      await each(files, async (file) => made.push(await importFile(file, place)));
      list.reload();
      if (made.length) notify(`${named(made)} ${be(made)} imported.`, () => void undo(made, trash));
    },
  };
}

async function create(type: DriveItemType, name: string, { kind, id }: Place): Promise<Row> {
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
  return rows.length === 1 && first ? `“${first.name}”` : `${rows.length} items`;
}

function be(rows: Row[]): string {
  return rows.length === 1 ? "is" : "are";
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
