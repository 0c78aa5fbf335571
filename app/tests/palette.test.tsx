// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { Palette } from "../src/commands/Palette";
import { FilterBar } from "../src/search/FilterBar";
import { FakeGraphql, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(cleanup);

async function opened(answers: ConstructorParameters<typeof FakeGraphql>[0]) {
  const server = new FakeGraphql(answers);
  const close = vi.fn((run?: () => void) => run?.());
  const showKeys = vi.fn();
  const none = () => undefined;
  const { path } = screenOf(
    sessionOf(),
    <Palette close={close} showKeys={showKeys} showLanguage={none} newDrive={none} />,
  );
  const field = await screen.findByRole("combobox", { name: "Search and commands" });
  const names = () => screen.getAllByRole("option").map(({ textContent }) => textContent);
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  return { server, close, showKeys, path, field, names, type };
}

test("commands and places are found by the beginnings of their words", async () => {
  const { names, type, field, showKeys } = await opened({ FoundItems: () => ({ search: { nodes: [] } }) });
  expect(names()).toContain("Settings");
  type("sh w");
  expect(names()).toEqual(["Shared with you", "Search for “sh w”"]);
  type("keyb");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(showKeys).toHaveBeenCalledOnce();
});

test("items are asked for when nobody types any more, and opened", async () => {
  const found = { ...row("plan", { name: "Orbit plan" }), path: [{ id: "up", name: "Projects" }] };
  const { server, type, field, path } = await opened({ FoundItems: () => ({ search: { nodes: [found] } }) });
  for (const text of ["o", "or", "orb"]) type(text);
  const option = await screen.findByRole("option", { name: /Orbit plan/ });
  expect(option.textContent).toBe("Orbit plan Projects");
  expect(server.asked).toEqual(['FoundItems {"text":"orb"}']);
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(path()).toBe("/doc/plan"));
});

test("where the server does not answer, the palette says so and its commands stay", async () => {
  const { type, names } = await opened({});
  type("home");
  await screen.findByText(/The server does not answer/);
  expect(names()).toEqual(["Home", "Search for “home”"]);
});

test("a search is limited to authors of whom the reader may know, and the address keeps it", async () => {
  new FakeGraphql({
    AgentNames: () => ({ viewer: { agents: [{ name: "scribe" }] } }),
    DriveMembers: () => ({
      drive: {
        members: [
          { userId: "ada", name: "Ada Lovelace" },
          { userId: "ben", name: "Ben Franklin" },
        ],
      },
    }),
  });
  const { path } = screenOf(sessionOf(), <FilterBar asked={{ q: "valves", drive: "drive" }} />);
  const by = await screen.findByRole<HTMLSelectElement>("combobox", { name: "By" });
  const names = () => [...by.options].map(({ text }) => text);
  await waitFor(() => expect(names()).toEqual(["By anybody", "By you", "By scribe", "By Ben Franklin"]));
  fireEvent.change(by, { target: { value: "ada scribe" } });
  await waitFor(() => expect(path()).toBe("/search?q=valves&drive=drive&user=ada&agent=scribe"));
});
