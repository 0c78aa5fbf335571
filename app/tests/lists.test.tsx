// @vitest-environment happy-dom
/** The large lists: what is drawn of ten thousand rows, and what keys, pointers and menus do in them. */

import { act, cleanup, fireEvent, within as inside, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { FolderTree } from "../src/drive/FolderTree";
import { type GridActions, ItemGrid } from "../src/drive/ItemGrid";
import { ItemMenu } from "../src/drive/ItemMenu";
import { useItemCommands } from "../src/drive/useItemCommands";
import type { DriveName, Row } from "../src/graphql/generated";
import { driveName } from "../src/ui/drive_name";
import { setSingleKeys } from "../src/ui/keys";
import { MenuItem } from "../src/ui/menu";
import { END, FakeEvents, FakeGraphql, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const MANY = Array.from({ length: 10_000 }, (_, index) => row(`Item ${String(index).padStart(4, "0")}`));

async function gridOf(rows: Row[], more: Partial<GridActions> = {}) {
  const done: string[] = [];
  const tell = (what: string) => (chosen: Row[]) => void done.push(`${what} ${chosen.map(({ name }) => name).join()}`);
  const actions: GridActions = {
    open: ({ name }) => void done.push(`open ${name}`),
    keys: { F2: tell("rename"), m: tell("move"), Delete: tell("trash") },
    menu: (_, chosen) => <MenuItem onClick={() => tell("menu")(chosen)}>Move</MenuItem>,
    selection: (chosen) => (
      <button type="button" onClick={() => tell("bar")(chosen)}>
        Move them
      </button>
    ),
    ...more,
  };
  const sorted: string[] = [];
  screenOf(
    sessionOf(),
    <ItemGrid
      rows={rows}
      label="Plan"
      actions={actions}
      order={{ sort: "name", sortAs: (sort) => sorted.push(sort) }}
    />,
  );
  const grid = await screen.findByRole("grid", { name: "Plan" });
  act(() => grid.focus());
  const press = (...keys: (string | KeyboardEventInit)[]) => {
    for (const key of keys) fireEvent.keyDown(grid, typeof key === "string" ? { key } : key);
  };
  const cursor = () => {
    const id = grid.getAttribute("aria-activedescendant");
    return id && document.getElementById(id)?.dataset.id;
  };
  return { grid, press, cursor, done, sorted };
}

test("of ten thousand rows those in sight are drawn, and the list says how many there are", async () => {
  const { grid } = await gridOf(MANY);
  await waitFor(() => expect(inside(grid).getAllByRole("row").length).toBeGreaterThan(5));
  expect(inside(grid).getAllByRole("row").length).toBeLessThanOrEqual(60);
  expect(grid.getAttribute("aria-rowcount")).toBe("10001");
});

test("arrows, ends and letters move the cursor, which stays on its row", async () => {
  const { press, cursor } = await gridOf(MANY.slice(0, 12));
  expect(cursor()).toBe("Item 0000");
  press("ArrowDown", "ArrowDown");
  expect(cursor()).toBe("Item 0002");
  press("End");
  expect(cursor()).toBe("Item 0011");
  press("Home", ..."item 0007");
  expect(cursor()).toBe("Item 0007");
});

test("what Shift and Ctrl select is acted on together, and Escape selects nothing", async () => {
  const { press, done } = await gridOf(MANY);
  press({ key: "ArrowDown", shiftKey: true }, { key: "ArrowDown", shiftKey: true }, "Delete");
  expect(done).toEqual(["trash Item 0000,Item 0001,Item 0002"]);
  press({ key: "a", ctrlKey: true });
  expect(screen.getByRole("status").textContent).toBe("10,000 selected");
  press("Escape", "F2");
  expect(done.at(-1)).toBe("rename Item 0002");
  expect(screen.queryByRole("toolbar", { name: "Selection" })).toBe(null);
});

test("a box selects its row, and the bar acts on all that are selected", async () => {
  const { done, grid } = await gridOf(MANY.slice(0, 5));
  for (const name of ["Item 0001", "Item 0003"])
    fireEvent.click(screen.getByRole("checkbox", { name: `Select ${name}` }));
  expect(document.activeElement).toBe(grid);
  fireEvent.click(screen.getByRole("button", { name: "Move them" }));
  expect(done).toEqual(["bar Item 0001,Item 0003"]);
  fireEvent.click(screen.getByRole("button", { name: "Select all" }));
  expect(screen.getByRole("status").textContent).toBe("5 selected");
  fireEvent.click(screen.getByRole("button", { name: "Clear selection" }));
  expect(document.activeElement).toBe(grid);
});

test("keys of a single character act, unless they are turned off", async () => {
  const { press, done, cursor } = await gridOf([row("alpha"), row("beta"), row("minutes")]);
  press("m");
  expect(done).toEqual(["move alpha"]);
  setSingleKeys(false);
  press("m");
  expect(done.length).toBe(1);
  expect(cursor()).toBe("minutes");
});

test("a row's menu is about the row, or about all that are selected with it", async () => {
  const { press, done, grid } = await gridOf(MANY.slice(0, 4));
  const open = async (name: string) => {
    fireEvent.contextMenu(grid.querySelector(`[data-id="${name}"]`) as Element, { clientX: 20, clientY: 30 });
    fireEvent.click(await screen.findByRole("menuitem", { name: "Move" }));
    await waitFor(() => expect(screen.queryByRole("menuitem")).toBe(null));
  };
  press({ key: "ArrowDown", shiftKey: true });
  await open("Item 0001");
  await open("Item 0003");
  expect(done).toEqual(["menu Item 0000,Item 0001", "menu Item 0003"]);
});

test("the row after one that is gone has the cursor", async () => {
  const actions: GridActions = { open: () => undefined, keys: {}, menu: () => null, selection: () => null };
  const order = { sort: "name", sortAs: () => undefined } as const;
  let show: (rows: Row[]) => void = () => undefined;
  function Screen() {
    const [rows, setRows] = useState(MANY.slice(0, 4));
    show = setRows;
    return <ItemGrid rows={rows} label="Plan" actions={actions} order={order} />;
  }
  screenOf(sessionOf(), <Screen />);
  const grid = await screen.findByRole("grid", { name: "Plan" });
  act(() => grid.focus());
  fireEvent.keyDown(grid, { key: "ArrowDown" });
  const cursor = () => document.getElementById(grid.getAttribute("aria-activedescendant") ?? "")?.dataset.id;
  expect(cursor()).toBe("Item 0001");
  act(() => show(MANY.slice(0, 4).filter(({ id }) => id !== "Item 0001")));
  expect(cursor()).toBe("Item 0002");
  act(() => show(MANY.slice(0, 1)));
  expect(cursor()).toBe("Item 0000");
});

test("a row says who sees it besides those who see its place", async () => {
  const { grid } = await gridOf([
    row("Own", { sharesTotal: 0 }),
    row("Shared", { sharesTotal: 3 }),
    row("Open", { sharesTotal: 1, published: true }),
    row("Another's"),
  ]);
  const signs = (name: string) => {
    const found = inside(grid).getByRole("link", { name }).closest<HTMLElement>('[role="row"]');
    return (
      found &&
      inside(found)
        .queryAllByRole("img")
        .map((sign) => sign.getAttribute("aria-label"))
    );
  };
  expect(["Own", "Shared", "Open", "Another's"].map(signs)).toEqual([
    ["Document"],
    ["Document", "Shared with 3"],
    ["Document", "Published", "Shared with 1"],
    ["Document"],
  ]);
});

test("headers sort, a second time the other way", async () => {
  const { sorted } = await gridOf(MANY.slice(0, 3));
  fireEvent.click(screen.getByRole("button", { name: "Name" }));
  fireEvent.click(screen.getByRole("button", { name: "Changed" }));
  expect(sorted).toEqual(["-name", "-changed"]);
  expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
});

const DRIVE: DriveName = { id: "drive", name: "Engineering", kind: "shared", role: "owner", capabilities: [] };

function branch(names: string[], driveItemType: Row["driveItemType"], hasNextPage = false) {
  const nodes = names.map((id) => ({ id, name: id, driveId: "drive", driveItemType }));
  return { items: { nodes, pageInfo: hasNextPage ? { hasNextPage, endCursor: "next" } : END } };
}

test("a tree loads what lies in a place when it is unfolded, and more of it when that is asked for", async () => {
  const folders = Array.from({ length: 200 }, (_, index) => `Folder ${index}`);
  const server = new FakeGraphql({
    DriveBranch: ({ types, after }) => {
      const isFolders = (types as string[]).includes("folder");
      if (!isFolders) return { drive: branch(["Minutes"], "docs_workbook") };
      return { drive: after ? branch(["Zebra"], "folder") : branch(folders, "folder", true) };
    },
  });
  const { path } = screenOf(sessionOf(new FakeEvents(), [DRIVE]), <FolderTree label="Drives" hasDocuments />);
  const tree = await screen.findByRole("tree", { name: "Drives" });
  const names = () =>
    inside(tree)
      .getAllByRole("treeitem")
      .map(({ textContent }) => textContent);
  expect(server.asked).toEqual([]);
  act(() => tree.focus());
  fireEvent.keyDown(tree, { key: "ArrowRight" });
  await screen.findByText("Folder 199");
  expect(names().slice(-2)).toEqual(["Folder 199", "Show more"]);
  expect(screen.queryByText("Minutes")).toBe(null); // after the last folder
  fireEvent.keyDown(tree, { key: "End" });
  fireEvent.keyDown(tree, { key: "Enter" });
  await screen.findByText("Minutes");
  expect(names().slice(-2)).toEqual(["Zebra", "Minutes"]);
  fireEvent.keyDown(tree, { key: "End" });
  fireEvent.keyDown(tree, { key: "Enter" });
  await waitFor(() => expect(path()).toBe("/doc/Minutes"));
  fireEvent.keyDown(tree, { key: "Home" });
  fireEvent.keyDown(tree, { key: "ArrowLeft" });
  expect(names()).toEqual(["Engineering"]);
});

test("what is offered for several items is for those of them that the reader may do it with", async () => {
  new FakeGraphql({});
  const rows = ["Plan", "Minutes"].map(
    (name, index) => ({ ...row(name), capabilities: index ? ["move", "trash"] : [] }) as Row,
  );
  function Names({ isTrash }: { isTrash: boolean }) {
    const { commands } = useItemCommands(undefined, isTrash);
    return commands(rows).map(({ name, able }) => <li key={name}>{`${name}: ${able.map((each) => each.name)}`}</li>);
  }
  screenOf(
    sessionOf(),
    <ul>
      <Names isTrash={false} />
      <Names isTrash />
    </ul>,
  );
  expect((await screen.findAllByRole("listitem")).map((each) => each.textContent)).toEqual([
    "Share…: ",
    "Star 2 items: Plan,Minutes",
    "Move 2 items…: Minutes",
    "Move 2 items to the trash: Minutes",
    "Restore 2 items: Minutes",
    "Delete 2 items forever…: ",
  ]);
});

test("an item of the tree has the commands that the reader may do, and the tree gets the keyboard back at it", async () => {
  const plan = { ...row("Plan"), drive: null, ancestors: [], capabilities: ["trash"] };
  const server = new FakeGraphql({
    DriveBranch: ({ types }) => {
      const isFolders = (types as string[]).includes("folder");
      return { drive: branch(isFolders ? [] : ["Minutes", "Plan"], "docs_workbook") };
    },
    ItemPlace: () => ({ driveItem: plan }),
    TrashItem: () => ({ trashItem: plan }),
  });
  screenOf(
    sessionOf(new FakeEvents(), [DRIVE]),
    <nav id="sidebar">
      <FolderTree label="Drives" driveId="drive" hasDocuments Menu={ItemMenu} />
    </nav>,
  );
  const item = await screen.findByRole("treeitem", { name: "Plan" });
  const tree = screen.getByRole("tree", { name: "Drives" });
  expect(fireEvent.contextMenu(screen.getByRole("treeitem", { name: "Engineering" }))).toBe(true); // the browser's own
  fireEvent.contextMenu(item);
  expect((await screen.findByRole("menuitem", { name: "Rename" })).getAttribute("aria-disabled")).toBe("true");
  fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("menu")).toBe(null));
  await waitFor(() => expect(document.activeElement).toBe(tree));
  expect(tree.getAttribute("aria-activedescendant")).toBe(item.id);
  fireEvent.keyDown(tree, { key: "F10", shiftKey: true });
  fireEvent.click(await screen.findByRole("menuitem", { name: "Move to the trash" }));
  await waitFor(() => expect(server.asked.some((each) => each.startsWith("TrashItem"))).toBe(true));
});

test("a finger that rests on an item of the tree opens its menu, once, and opens nothing else when it is lifted", async () => {
  new FakeGraphql({
    DriveBranch: ({ types }) => ({
      drive: branch((types as string[]).includes("folder") ? [] : ["Plan"], "docs_workbook"),
    }),
    ItemPlace: () => ({ driveItem: { ...row("Plan"), drive: null, ancestors: [], capabilities: [] } }),
  });
  const { path } = screenOf(
    sessionOf(new FakeEvents(), [DRIVE]),
    <nav id="sidebar">
      <FolderTree label="Drives" driveId="drive" hasDocuments Menu={ItemMenu} />
    </nav>,
  );
  const item = await screen.findByRole("treeitem", { name: "Plan" });
  const finger = { pointerType: "touch", isPrimary: true, clientX: 50, clientY: 50 };
  const rest = () => void act(() => void vi.advanceTimersByTime(1000));
  const menus = () => screen.queryAllByRole("menu").length;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended: [string, () => void][] = [
    ["it moves", () => fireEvent.pointerMove(item, { ...finger, clientY: 70 })],
    ["it is lifted", () => fireEvent.pointerUp(item, finger)],
    ["it scrolls", () => fireEvent.pointerCancel(item, finger)],
    ["another comes", () => fireEvent.pointerDown(item, { ...finger, isPrimary: false })],
  ];
  for (const [how, end] of ended) {
    fireEvent.pointerDown(item, finger);
    end();
    rest();
    expect([how, menus()]).toEqual([how, 0]);
  }
  fireEvent.pointerDown(item, { ...finger, pointerType: "mouse" });
  rest();
  expect(menus()).toBe(0);
  fireEvent.pointerDown(item, finger);
  fireEvent.pointerMove(item, { ...finger, clientY: 52 });
  rest();
  vi.useRealTimers();
  await screen.findByRole("menuitem", { name: "Rename" });
  expect(fireEvent.contextMenu(item)).toBe(false); // as Android sends it, too
  fireEvent.pointerUp(item, finger);
  expect(fireEvent.click(item)).toBe(false);
  expect(path()).toBe("/");
  expect(menus()).toBe(1);
  fireEvent.keyDown(screen.getByRole("menu"), { key: "Escape" });
  await waitFor(() => expect(menus()).toBe(0));
  fireEvent.click(item);
  await waitFor(() => expect(path()).toBe("/doc/Plan"));
});

test("a tree in which a place is chosen gives it, and shows folders alone", async () => {
  new FakeGraphql({ DriveBranch: () => ({ drive: branch(["Projects"], "folder") }) });
  const choose = vi.fn();
  screenOf(
    sessionOf(new FakeEvents(), [DRIVE]),
    <FolderTree label="Where to" driveId="drive" choose={choose} describedBy="fault" />,
  );
  const tree = await screen.findByRole("tree", { name: "Where to" });
  expect(tree.getAttribute("aria-describedby")).toBe("fault");
  fireEvent.click(await screen.findByRole("treeitem", { name: /Projects/ }));
  expect(choose).toHaveBeenLastCalledWith({ kind: "folder", id: "Projects", driveId: "drive", name: "Projects" });
  expect(screen.getByRole("treeitem", { selected: true }).textContent).toBe("Projects");
});

test("a tree shows what is open where it comes after the part that is loaded, and once alone when that is loaded, too", async () => {
  const folders = Array.from({ length: 200 }, (_, index) => `Folder ${index}`);
  new FakeGraphql({
    DriveBranch: ({ types, after }) => {
      const isFolders = (types as string[]).includes("folder");
      if (!isFolders) return { drive: branch([], "docs_workbook") };
      return { drive: after ? branch(["Zebra"], "folder") : branch(folders, "folder", true) };
    },
    FolderBranch: ({ types }) => {
      const isFolders = (types as string[]).includes("folder");
      return { driveItem: { children: branch(isFolders ? [] : ["Plan"], "docs_workbook").items } };
    },
  });
  const zebra = { id: "Zebra", name: "Zebra", driveId: "drive", driveItemType: "folder" } as const;
  const plan = { id: "Plan", name: "Plan", driveId: "drive", driveItemType: "docs_workbook" } as const;
  screenOf(
    sessionOf(new FakeEvents(), [DRIVE]),
    <FolderTree label="Drives" hasDocuments openWay={{ driveId: "drive", steps: [zebra, plan] }} />,
  );
  const tree = await screen.findByRole("tree", { name: "Drives" });
  const last = () =>
    inside(tree)
      .getAllByRole("treeitem")
      .slice(-3)
      .map(({ textContent }) => textContent);
  await screen.findByText("Plan");
  expect(last()).toEqual(["Zebra", "Plan", "Show more"]);
  fireEvent.click(screen.getByText("Show more"));
  await waitFor(() => expect(last()).toEqual(["Folder 199", "Zebra", "Plan"]));
});

test("a tree of places shows no documents, also where another tree has loaded them", async () => {
  new FakeGraphql({
    DriveBranch: ({ types }) => {
      const isFolders = (types as string[]).includes("folder");
      return { drive: branch([isFolders ? "Projects" : "Minutes"], isFolders ? "folder" : "docs_workbook") };
    },
  });
  screenOf(
    sessionOf(new FakeEvents(), [DRIVE]),
    <>
      <FolderTree label="Drives" driveId="drive" hasDocuments />
      <FolderTree label="Where to" driveId="drive" choose={() => undefined} />
    </>,
  );
  await screen.findByText("Minutes");
  const places = inside(screen.getByRole("tree", { name: "Where to" })).getAllByRole("treeitem");
  expect(places.map(({ textContent }) => textContent)).toEqual(["Engineering", "Projects"]);
});

test("one's own personal drive has a name of the interface, in the tree and in what is chosen there", async () => {
  const choose = vi.fn();
  const own: DriveName = { ...DRIVE, name: "Ada Lovelace", kind: "personal" };
  screenOf(sessionOf(new FakeEvents(), [own]), <FolderTree label="Where to" choose={choose} />);
  fireEvent.click(await screen.findByRole("treeitem", { name: "My drive" }));
  expect(choose).toHaveBeenLastCalledWith({ kind: "drive", id: "drive", driveId: "drive", name: "My drive" });
  expect(driveName({ ...own, role: null })).toBe("Ada Lovelace"); // somebody else's
  expect(driveName({ ...DRIVE, name: "Ada Lovelace" })).toBe("Ada Lovelace");
});
