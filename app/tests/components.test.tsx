// @vitest-environment happy-dom
/** What is drawn of answers, refusals and states, and what pressing does, without a server. */

import { cleanup, fireEvent, renderHook, screen, waitFor } from "@testing-library/react";
import { Users } from "lucide-react";
import { afterEach, expect, test, vi } from "vitest";
import { useAccessActions } from "../src/access/actions";
import { ExplainAccess } from "../src/access/ExplainAccess";
import { PreviewLines } from "../src/access/PreviewLines";
import { ShareDialog } from "../src/access/ShareDialog";
import { Refused } from "../src/graphql/ask";
import type { Level, PersonChange } from "../src/graphql/generated";
import { useAwaySince, useIsNew, VisitProvider } from "../src/home/visit";
import { ConfirmDialog } from "../src/ui/ConfirmDialog";
import { CommandsProvider, useCommands, useOffered } from "../src/ui/commands";
import { IconButton } from "../src/ui/IconButton";
import { NameDialog } from "../src/ui/NameDialog";
import { Failed, NotLive, Stale } from "../src/ui/states";
import { FakeEvents, FakeGraphql, Refusal, row, sessionOf, shown, within } from "./fake_graphql";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  localStorage.clear();
});

const refused = (message: string) => () => Promise.reject(new Refused({ code: "CONFLICT", message }));

test("a button of an icon alone has its name for screen readers and beside the pointer", () => {
  const pressed = vi.fn();
  shown(sessionOf(), <IconButton label="Members" Icon={Users} aria-pressed onClick={pressed} />);
  const button = screen.getByRole("button", { name: "Members", pressed: true });
  expect(button.title).toBe("Members");
  fireEvent.click(button);
  expect(pressed).toHaveBeenCalledOnce();
});

test("what failed says why in a sentence and offers the way on", () => {
  const retry = vi.fn();
  const session = sessionOf();
  const { rerender } = shown(session, <Failed failure={{ code: "RATE_LIMITED", message: "too many" }} retry={retry} />);
  expect(screen.getByRole("alert").textContent).toContain("Too many.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
  rerender(<Failed failure={{ code: "UNAUTHORIZED", message: "" }} retry={retry} />);
  expect(screen.getByRole("link", { name: "Sign in again" }).getAttribute("href")).toContain("/sign-in?next=");
  rerender(<Failed failure={{ code: "NOT_FOUND", message: "" }} retry={retry} />);
  expect(screen.getByText(/nothing here that you can see as ada@example.org/)).toBeTruthy();
  rerender(<Stale failure={{ code: "NETWORK", message: "away" }} retry={retry} />);
  expect(screen.getByRole("status").textContent).toContain("This list may be old. Away.");
});

test("a connection that is away, or ended, is told while it is", async () => {
  const events = new FakeEvents();
  shown(sessionOf(events), <NotLive />);
  expect(screen.queryByRole("status")).toBe(null);
  events.turn("away");
  await screen.findByText(/The server cannot be reached/);
  events.turn("ended");
  await screen.findByText(/You are signed out/);
  events.turn("live");
  await waitFor(() => expect(screen.queryByRole("status")).toBe(null));
});

test("a name that is refused stays in its field, with the server's words beside it", async () => {
  const close = vi.fn();
  const given: string[] = [];
  const give = async (name: string) => {
    given.push(name);
    if (given.length === 1) await refused("the name is taken")();
  };
  shown(sessionOf(), <NameDialog naming={{ title: "Rename", verb: "Rename", name: "Plan", give }} close={close} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
  fireEvent.change(field, { target: { value: "  " } });
  fireEvent.submit(field);
  await screen.findByText("Enter a name.");
  fireEvent.change(field, { target: { value: " Orbit " } });
  fireEvent.submit(field);
  await screen.findByText("The name is taken.");
  expect(field.value).toBe(" Orbit ");
  expect(document.activeElement).toBe(field);
  expect(close).not.toHaveBeenCalled();
  fireEvent.submit(field);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(given).toEqual(["Orbit", "Orbit"]);
});

test("what cannot be taken back is done once, and told where it is refused", async () => {
  const close = vi.fn();
  const run = vi.fn(refused("it is not empty"));
  const names = Array.from({ length: 12 }, (_, number) => `Item ${number}`);
  shown(
    sessionOf(),
    <ConfirmDialog question={{ title: "Delete", warning: "For ever.", names, verb: "Delete", run }} close={close} />,
  );
  screen.getByText("and 2 more");
  const button = screen.getByRole("button", { name: "Delete" });
  fireEvent.click(button);
  fireEvent.click(button);
  await screen.findByText("It is not empty.");
  expect(run).toHaveBeenCalledOnce();
  expect(close).not.toHaveBeenCalled();
});

test("one act of a dialog runs at a time, and is told when what is shown is as it is now", async () => {
  const order: string[] = [];
  const reload = async () => void order.push("reload");
  const { result } = renderHook(() => useAccessActions(reload), { wrapper: within(sessionOf()) });
  let finish = () => {};
  const begun = result.current.run(
    "a",
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
    "Done.",
  );
  expect(await result.current.run("b", async () => void order.push("second"), "Second.")).toBe(false);
  finish();
  expect(await begun).toBe(true);
  expect(order).toEqual(["reload"]);
  await waitFor(() => expect(result.current.outcome?.text).toBe("Done."));
  expect(await result.current.run("field", refused("it is yours"), "Done.")).toBe(false);
  await waitFor(() => expect(result.current.fault).toEqual({ at: "field", text: "It is yours." }));
  expect(result.current.outcome).toBe(null);
});

test("a preview names who gains and loses, one line for all items of which the same holds", () => {
  const level = (permission: Level["permission"]): Level => ({ role: null, permission, capabilities: [] });
  const change = (email: string, before: Level, after: Level): PersonChange => ({
    email,
    name: null,
    userId: null,
    before,
    after,
    because: [],
  });
  const cleo = change("cleo@example.org", level(null), level("read_write"));
  const ada = change("ada@example.org", level("read_write"), level("read_only"));
  const preview = { gains: [cleo], loses: [ada], keeps: [], otherGains: 0, otherLoses: 2, otherKeeps: 1 };
  shown(sessionOf(), <PreviewLines previews={[preview, { ...preview, loses: [] }]} />);
  expect(screen.getByRole("list", { name: "Gain access" }).textContent).toBe(
    "cleo@example.org: can edit, now no access",
  );
  const lost = screen.getByRole("list", { name: "Lose access" }).textContent;
  expect(lost).toBe("You: can read, now can edit (1 of 2 items)2 others, whom you cannot see");
  screen.getByText("1 person keeps the same access.");
});

test("anybody's access to an item is explained, or refused in the server's words", async () => {
  const because = [
    { role: null, permission: "read_only", itemId: "up", itemName: "Projects", givenAt: null, givenByName: "Grace" },
  ];
  const server = new FakeGraphql({
    ExplainAccess: ({ email }) =>
      email === "no"
        ? new Refusal("BAD_REQUEST", "no address")
        : { access: { email, permission: "read_only", because } },
  });
  shown(sessionOf(), <ExplainAccess itemId="plan" />);
  const field = screen.getByRole("textbox");
  fireEvent.change(field, { target: { value: " ben@example.org " } });
  fireEvent.submit(field);
  await screen.findByText(/can read/);
  screen.getByText("“Projects” is shared with them by Grace");
  fireEvent.change(field, { target: { value: "no" } });
  fireEvent.submit(field);
  await screen.findByText("No address.");
  expect(screen.queryByText(/can read/)).toBe(null);
  expect(server.asked.length).toBe(2);
});

test("the palette is offered the commands of what is shown, as they are now, and no others", () => {
  const runs: string[] = [];
  function Screen({ name }: { name: string }) {
    useCommands([{ name, run: () => runs.push(name) }]);
    return null;
  }
  let offered: ReturnType<typeof useOffered> = () => [];
  function Palette() {
    offered = useOffered();
    return null;
  }
  const page = (...names: string[]) => (
    <CommandsProvider>
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same screens with other commands
        <Screen key={index} name={name} />
      ))}
      <Palette />
    </CommandsProvider>
  );
  const { rerender } = shown(sessionOf(), page("Rename…", "Share…"));
  expect(offered().map(({ name }) => name)).toEqual(["Rename…", "Share…"]);
  rerender(page("History"));
  for (const { run } of offered()) run();
  expect(runs).toEqual(["History"]);
});

test("a visit begins where nobody looked for half an hour, and remembers when the one before it ended", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-08T12:00:00Z") });
  const Since = () => <p data-new={useIsNew()}>{useAwaySince()}</p>;
  const visit = () => {
    const { unmount } = shown(
      sessionOf(),
      <VisitProvider>
        <Since />
      </VisitProvider>,
    );
    const { textContent: since, dataset } = screen.getByText(/Z$/);
    unmount();
    return [since, dataset.new];
  };
  expect(visit(), "a week, where nothing is remembered").toEqual(["2026-01-01T12:00:00.000Z", "true"]);
  vi.setSystemTime(Date.parse("2026-01-08T12:20:00Z"));
  expect(visit(), "the same visit").toEqual(["2026-01-01T12:00:00.000Z", "true"]);
  vi.setSystemTime(Date.parse("2026-01-08T14:00:00Z"));
  expect(visit()).toEqual(["2026-01-08T12:20:00.000Z", "false"]);
});

test("what somebody may do is told once, and where it can be changed by what changes it", async () => {
  const share = (name: string, permission: string) => ({
    userId: name,
    name,
    email: `${name}@example.org`,
    permission,
  });
  const member = { userId: "Grace", name: "Grace", email: "Grace@example.org", role: "owner" };
  const drive = {
    id: "drive",
    name: "Engineering",
    kind: "shared",
    role: "owner",
    capabilities: [],
    members: [member],
  };
  new FakeGraphql({
    ItemAccess: () => ({
      driveItem: {
        ...row("Plan"),
        url: "http://localhost/doc/Plan",
        publicUrl: null,
        capabilities: ["share"],
        shares: [share("Ben", "read_only"), share("Grace", "read_only")],
        ancestors: [{ id: "folder", name: "Papers", shares: [share("Cleo", "read_write")] }],
        drive,
      },
    }),
    ShareSuggestions: () => ({ shareSuggestions: [] }),
  });
  const none = () => undefined;
  shown(sessionOf(), <ShareDialog itemId="Plan" name="Plan" isPublishing={false} close={none} showMembers={none} />);
  const list = await screen.findByRole("list", { name: "Who has access" });
  const told = [...list.children].map((each) => {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const said: string[] = [];
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      if (!parentElement?.closest("select, li li")) said.push(textContent ?? "");
    }
    return said.filter((words) => /^can (read|edit)$/.test(words)).join();
  });
  expect(told).toEqual(["", "can edit", "can edit"]);
});
