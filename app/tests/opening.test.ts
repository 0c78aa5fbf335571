import { expect, test } from "vitest";
import type { DocumentSession } from "../src/document/document_session";
import { Opening } from "../src/document/opening";

/** An opening, and what it opened and closed, by name in this order. */
function begin() {
  const opening = new Opening();
  const happened: string[] = [];
  let count = 0;
  const open = () => {
    count += 1;
    const name = `session ${count}`;
    happened.push(`open ${name}`);
    return { name, destroy: () => happened.push(`close ${name}`) } as unknown as DocumentSession;
  };
  return { opening, happened, open };
}

test("a screen takes what was opened when its address was entered, once", () => {
  const { opening, happened, open } = begin();
  opening.enter("one", open);
  const taken = opening.take("one", open);
  expect(taken).toMatchObject({ name: "session 1" });
  opening.close("one", taken);
  opening.take("one", open);
  expect(happened).toEqual(["open session 1", "close session 1", "open session 2"]);
});

test("what no screen came for is closed when another address is entered, or the screen's is left", () => {
  const { opening, happened, open } = begin();
  opening.enter("one", open);
  opening.enter("two", open);
  opening.leave();
  opening.leave();
  expect(happened).toEqual(["open session 1", "close session 1", "open session 2", "close session 2"]);
});

test("nothing is opened twice for an address that is entered twice", () => {
  const { opening, happened, open } = begin();
  opening.enter("one", open);
  opening.enter("one", open);
  expect(happened).toEqual(["open session 1"]);
});

test("nothing is opened for a screen that is there, whatever was entered meanwhile", () => {
  const { opening, happened, open } = begin();
  const shown = opening.take("one", open);
  opening.enter("two", open);
  opening.enter("one", open);
  expect(happened).toEqual(["open session 1", "open session 2", "close session 2"]);
  opening.close("one", shown);
  opening.enter("one", open);
  expect(happened.slice(3)).toEqual(["close session 1", "open session 3"]);
});
