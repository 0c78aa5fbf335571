// @vitest-environment happy-dom
/** The colours of people: one person has one wherever a document shows them, and no two share one while there are enough. */

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { drawCaret, selectionOf } from "../src/document/carets";
import { People } from "../src/document/People";
import { Avatar, SignedAuthor } from "../src/ui/authors";
import { ColoursContext, colourClassOf, DocumentColours } from "../src/ui/people";
import { sessionOf, shown } from "./fake_graphql";

afterEach(cleanup);

const IDS = Array.from({ length: 20 }, (_, index) => `person ${index}`);
const [first = "", ...others] = IDS;
const rival = others.find((id) => colourClassOf({ id }) === colourClassOf({ id: first })) ?? "";

const metIn = (...groups: string[][]) => {
  const colours = new DocumentColours();
  colours.begin([]);
  for (const ids of groups) colours.meet(ids);
  return colours;
};

test("two people of one colour have different ones in a document that both are in, in every window", () => {
  expect(rival).not.toBe("");
  const colours = metIn([first, rival]);
  expect(colours.classOf({ id: first })).not.toBe(colours.classOf({ id: rival }));
  const elsewhere = metIn([rival, first]);
  for (const id of [first, rival]) expect(elsewhere.classOf({ id })).toBe(colours.classOf({ id }));
});

test("authors have their colours by the order of their first edits, whoever is met before it is known", () => {
  const colours = new DocumentColours();
  colours.meet([first]);
  expect(colours.classOf({ id: first })).toBe(colourClassOf({ id: first }));
  colours.begin([rival]);
  expect(colours.classOf({ id: rival })).toBe(colourClassOf({ id: rival }));
  expect(colours.classOf({ id: first })).not.toBe(colourClassOf({ id: first }));
  const later = new DocumentColours();
  later.begin([rival, first]);
  expect(later.classOf({ id: first })).toBe(colours.classOf({ id: first }));
});

test("a colour is kept when others come", () => {
  const colours = metIn([rival]);
  const before = colours.classOf({ id: rival });
  colours.meet([first, ...IDS]);
  expect(colours.classOf({ id: rival })).toBe(before);
});

test("eight people have eight colours, and the ninth has one of them with a pattern", () => {
  const colours = metIn(IDS.slice(0, 9));
  const classes = new Set(IDS.slice(0, 9).map((id) => colours.classOf({ id })));
  expect(classes.size).toBe(9);
  expect([...classes].filter((each) => /^author-[0-7]$/.test(each))).toHaveLength(8);
  expect([...classes].filter((each) => /^author-[0-7] author-again$/.test(each))).toHaveLength(1);
});

test("agents have the colour of agents, and whoever was not met the one that they have elsewhere", () => {
  const colours = metIn([first]);
  expect(colours.classOf({ id: first, agent: "scribe" })).toBe("author-agent");
  expect(colours.classOf({ id: rival })).toBe(colourClassOf({ id: rival }));
  expect(colours.classOf({})).toMatch(/^author-[0-7]$/);
});

test("a person's caret, selection and avatar have one colour in a document", () => {
  const colours = metIn([first, rival]);
  const person = { id: rival, name: "Ben Franklin", agent: null };
  const author = { userId: rival, name: "Ben Franklin", agent: null };
  const { container } = shown(
    sessionOf(),
    <ColoursContext value={colours.classOf}>
      <Avatar author={author} />
    </ColoursContext>,
  );
  const drawn = [
    drawCaret(person, colours),
    selectionOf(person, colours).class,
    container.querySelector("[class*=author-]"),
  ];
  const classes = drawn.map((each) => (each instanceof Element ? each.className : `${each}`).match(/author-\S+/)?.[0]);
  expect(new Set(classes)).toEqual(new Set([colours.classOf({ id: rival })]));
});

test("of many people in a document the first are shown, and the others counted and named", () => {
  const people = IDS.slice(0, 12).map((id) => ({ id, name: `Name of ${id}`, agent: null }));
  const { rerender } = shown(sessionOf(), <People people={people.slice(0, 5)} colours={metIn(IDS)} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(5);
  rerender(<People people={people} colours={metIn(IDS)} />);
  const last = screen.getAllByRole("listitem").at(-1);
  expect(last?.textContent).toMatch(/^Name of person 4, .*Name of person 11\+8$/);
  expect(screen.getAllByRole("listitem")).toHaveLength(5);
});

test("an author has the initials of a person or the sign of an agent, never both", () => {
  const person = { userId: first, name: "Ben Franklin", agent: null };
  const { container, rerender } = shown(sessionOf(), <SignedAuthor author={person} />);
  const initials = () => container.querySelector<HTMLElement>("[data-initials]")?.dataset.initials;
  expect([initials(), container.textContent]).toEqual(["BF", "Ben Franklin"]);
  rerender(<SignedAuthor author={{ ...person, agent: "scribe" }} />);
  expect([initials(), container.textContent]).toEqual([undefined, "scribe for Ben Franklin"]);
  screen.getByRole("img", { name: "Agent:" });
  rerender(<SignedAuthor author={null} />);
  expect(initials()).toBe(undefined);
});
