// @vitest-environment happy-dom
/** What is done with items, drives and documents: told in a note, taken back from there, refused in the server's words. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { useItemActions, useOpen } from "../src/drive/actions";
import { useDrag } from "../src/drive/drag";
import { useDriveActions } from "../src/drive/drive_actions";
import { useList, wholeList } from "../src/drive/list";
import type { Row } from "../src/graphql/generated";
import { useUndoable } from "../src/history/undo";
import { useIsOfEveryScreen } from "../src/ui/keys";
import { useToast } from "../src/ui/toasts";
import { END, FakeGraphql, Refusal, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(cleanup);

const PLAN = row("plan", { name: "Plan" });
const NOTES = row("notes", { name: "Notes" });
const TARGET = { kind: "drive", id: "other", driveId: "other", name: "Research" } as const;

/** Draw buttons, each of which does something that a hook returns, and return where the page is. */
async function buttonsOf(use: () => Record<string, () => unknown>) {
  function Buttons() {
    return Object.entries(use()).map(([name, run]) => (
      <button key={name} type="button" onClick={() => void run()}>
        {name}
      </button>
    ));
  }
  const { path } = screenOf(sessionOf(), <Buttons />);
  await screen.findAllByRole("button");
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  return { press, path };
}

test("items are put into the trash, and brought back from the note; what is refused of one is told", async () => {
  const server = new FakeGraphql({
    TrashItem: ({ itemId }) => (itemId === "notes" ? new Refusal("FORBIDDEN", "you may not") : { trashItem: {} }),
    RestoreItem: () => ({ restoreItem: {} }),
  });
  const list: string[] = [];
  const { press } = await buttonsOf(() => {
    const actions = useItemActions({ reload: () => void list.push("reload"), remove: (ids) => void list.push(...ids) });
    return { trash: () => actions.trash([PLAN, NOTES]) };
  });
  press("trash");
  await screen.findByText("“Plan” is in the trash.");
  await screen.findByText("“Notes”: You may not.");
  expect(list).toEqual(["plan", "notes", "reload"]);
  press("Undo");
  await waitFor(() => expect(server.asked.at(-1)).toBe('RestoreItem {"itemId":"plan"}'));
});

test("a move can be taken back, but of what went out of the reader's sight", async () => {
  const server = new FakeGraphql({
    MoveItem: ({ itemId, driveId }) => ({ moveItem: itemId === "plan" && driveId === "other" ? null : { id: itemId } }),
  });
  const refused: unknown[] = [];
  const { press } = await buttonsOf(() => {
    const actions = useItemActions({ reload: () => undefined, remove: () => undefined });
    return { move: async () => refused.push(...(await actions.move([PLAN, NOTES], TARGET))) };
  });
  press("move");
  await screen.findByText("2 items moved to “Research”.");
  press("Undo");
  await waitFor(() => expect(server.asked.length).toBe(3));
  expect(server.asked[2]).toBe('MoveItem {"itemId":"notes","driveId":"drive","parentId":null}');
  expect(refused).toEqual([]);
});

test("a new document is opened, a new folder stays in its list", async () => {
  new FakeGraphql({
    CreateItem: ({ type }) => ({ createItem: row("made", { driveItemType: type as Row["driveItemType"] }) }),
  });
  const reloads: string[] = [];
  const { press, path } = await buttonsOf(() => {
    const open = useOpen();
    const actions = useItemActions({ reload: () => void reloads.push("reload"), remove: () => undefined });
    const make = (type: Row["driveItemType"]) => actions.creating(type, { kind: "drive", id: "drive" }).give("New");
    return { folder: () => make("folder"), document: () => make("docs_workbook"), open: () => open(PLAN) };
  });
  press("folder");
  await waitFor(() => expect(reloads.length).toBe(1));
  expect(path()).toBe("/");
  press("document");
  await waitFor(() => expect(path()).toBe("/doc/made"));
  press("open");
  await waitFor(() => expect(path()).toBe("/doc/plan"));
});

test("a drive is renamed, with the way back, and its page is left when it is deleted", async () => {
  const drive = { id: "drive", name: "Orbit", kind: "shared", role: "owner", capabilities: [] } as const;
  const server = new FakeGraphql({
    RenameDrive: () => ({ renameDrive: {} }),
    DeleteDrive: () => ({ deleteDrive: {} }),
  });
  const { press, path } = await buttonsOf(() => {
    const actions = useDriveActions();
    const given = { ...drive, capabilities: [] };
    return {
      same: () => actions.renaming(given).give("Orbit"),
      rename: () => actions.renaming(given).give("Orbit 2"),
      delete: () => actions.deleting(given).run(),
    };
  });
  press("same");
  press("rename");
  await screen.findByText("The drive “Orbit” is now “Orbit 2”.");
  expect(server.asked).toEqual(['RenameDrive {"driveId":"drive","name":"Orbit 2"}']);
  press("Undo");
  await waitFor(() => expect(server.asked.at(-1)).toBe('RenameDrive {"driveId":"drive","name":"Orbit"}'));
  press("delete");
  await screen.findByText("The drive “Orbit” is deleted.");
  expect(path()).toBe("/");
});

test("an undo is told with the way back, which takes exactly what it changed", async () => {
  const changes = (nodes: string[], more: boolean) => ({
    documentChanges: {
      nodes: nodes.map((id) => ({ id })),
      pageInfo: more ? { hasNextPage: true, endCursor: "next" } : END,
    },
  });
  const server = new FakeGraphql({
    ChangesOfRevision: ({ after }) => (after ? changes(["c"], false) : changes(["a", "b"], true)),
    UndoChanges: () => ({ undoChanges: { revision: 9, changesTotal: 3, changes: [], skipped: [] } }),
  });
  const done: string[] = [];
  const { press } = await buttonsOf(() => {
    const notify = useUndoable("plan", () => void done.push("done"));
    return { tell: () => notify("3 changes undone.", 8) };
  });
  press("tell");
  await screen.findByText("3 changes undone.");
  expect(server.asked[0]).toContain('"since":7,"until":8,"userId":"ada"');
  press("Undo");
  await screen.findByText("The undo is reverted.");
  expect(server.asked.at(-1)).toContain('"ids":["a","b","c"]');
  expect(done).toEqual(["done"]);
});

test("a warning is an alert, a note is none", async () => {
  const { press } = await buttonsOf(() => {
    const { notify, warn } = useToast();
    return { note: () => notify("Saved."), warn: () => warn("Not saved.") };
  });
  press("note");
  press("warn");
  expect((await screen.findByRole("alert")).textContent).toBe("Not saved.");
  screen.getByText("Saved.");
});

test("what is dragged is taken by another place, and by itself not", async () => {
  const dropped: string[] = [];
  function Places() {
    const drag = useDrag();
    const drop = (rows: Row[], { name }: { name: string }) => void dropped.push(`${rows[0]?.name} into ${name}`);
    return (
      <>
        <p {...drag.dragging([PLAN], drop)}>from</p>
        <p {...drag.dropping({ kind: "folder", id: "plan", driveId: "drive", name: "itself" })}>itself</p>
        <p {...drag.dropping(TARGET)}>to</p>
      </>
    );
  }
  screenOf(sessionOf(), <Places />);
  const dataTransfer = { setData: () => undefined, effectAllowed: "", dropEffect: "" };
  const from = await screen.findByText("from");
  fireEvent.dragStart(from, { dataTransfer });
  expect(fireEvent.dragOver(screen.getByText("itself"), { dataTransfer })).toBe(true); // it is not taken
  expect(fireEvent.dragOver(screen.getByText("to"), { dataTransfer })).toBe(false);
  fireEvent.drop(screen.getByText("to"), { dataTransfer });
  fireEvent.dragEnd(from);
  expect(fireEvent.dragOver(screen.getByText("to"), { dataTransfer })).toBe(true);
  expect(dropped).toEqual(["Plan into Research"]);
});

test("a list leaves the keys of every screen to them, and all others it has itself", async () => {
  const taken: string[] = [];
  function List() {
    const isOfEveryScreen = useIsOfEveryScreen();
    return (
      <div
        role="listbox"
        tabIndex={0}
        onKeyDown={({ key, target }) => taken.push(`${key} ${isOfEveryScreen({ key, target })}`)}
      />
    );
  }
  screenOf(sessionOf(), <List />);
  const list = await screen.findByRole("listbox");
  for (const key of ["?", "x", "g"]) fireEvent.keyDown(list, { key });
  expect(taken).toEqual(["? true", "x false", "g true"]);
});

test("a list has what an edit told of its author, and leaves out what was taken from it", async () => {
  const events = sessionOf().events;
  const session = sessionOf(events);
  const list = wholeList(
    ["items"],
    async () => ({ head: true, rows: [PLAN, NOTES], next: END }),
    () => false,
  );
  function List() {
    const { rows, isWhole, remove } = useList(list);
    return (
      <>
        <ul>
          {rows.map(({ id, updatedBy }) => (
            <li key={id}>{`${id} by ${updatedBy.name}`}</li>
          ))}
        </ul>
        {isWhole && (
          <button type="button" onClick={() => remove(new Set(["notes"]))}>
            remove
          </button>
        )}
      </>
    );
  }
  screenOf(session, <List />);
  await screen.findByText("plan by Ada Lovelace");
  events.tell({ type: "documentEdited", itemId: "plan", driveId: "drive" });
  await screen.findByText("plan by Ben Franklin");
  fireEvent.click(screen.getByRole("button", { name: "remove" }));
  await waitFor(() => expect(screen.queryByText(/notes/)).toBe(null));
});
