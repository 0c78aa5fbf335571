// @vitest-environment happy-dom
/** Stars: shown at once wherever an item is, listed, taken back from the note, refused in the server's words. */

import { useQuery } from "@tanstack/react-query";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { DocumentActions } from "../src/drive/DocumentActions";
import { itemPlace } from "../src/drive/item_place";
import { useList, wholeList } from "../src/drive/list";
import { STARRED_KEY, useStars } from "../src/drive/stars";
import { END, FakeGraphql, Refusal, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(cleanup);

const [PLAN, NOTES] = [row("Plan"), row("Notes", { isStarred: true })];
const LIST = wholeList(
  ["items", "drive", "drive"],
  async () => ({ head: true, rows: [PLAN, NOTES], next: END }),
  () => false,
);

/** Draw a list, the document Plan and what is starred, with a button that stars or unstars items of the list. */
async function starsOf(names: string[]) {
  let stars = ["Notes"];
  const server = new FakeGraphql({
    StarItem: ({ itemId }) => {
      if (itemId === "Notes") return new Refusal("LIMIT_EXCEEDED", "you star at most 1000 items");
      stars = [String(itemId), ...stars];
      return { starItem: { id: itemId } };
    },
    UnstarItem: ({ itemId }) => {
      stars = stars.filter((id) => id !== itemId);
      return { unstarItem: { id: itemId } };
    },
    ItemPlace: () => ({ driveItem: PLAN }),
  });
  const starred = wholeList(
    STARRED_KEY,
    async () => ({ head: true, rows: stars.map((id) => row(id)), next: END }),
    () => false,
  );
  function Stars() {
    const { rows } = useList(LIST);
    const { data: place } = useQuery(itemPlace("Plan"));
    const listed = useList(starred).rows;
    const star = useStars();
    const chosen = rows.filter(({ name }) => names.includes(name));
    return (
      <>
        <p>rows {rows.map(({ name, isStarred }) => `${name} ${isStarred}`).join()}</p>
        <p>document {String(place?.isStarred)}</p>
        <p>listed {listed.map(({ name }) => name).join()}</p>
        <button type="button" onClick={() => void star(chosen)}>
          star
        </button>
      </>
    );
  }
  screenOf(sessionOf(), <Stars />);
  await screen.findByText("rows Plan false,Notes true");
  await screen.findByText("document false");
  await screen.findByText("listed Notes");
  fireEvent.click(screen.getByRole("button", { name: "star" }));
  return server;
}

test("a star is shown in lists, at the document and in the list of stars, and taken back from the note", async () => {
  const server = await starsOf(["Plan"]);
  await screen.findByText("“Plan” is starred.");
  await screen.findByText("rows Plan true,Notes true");
  await screen.findByText("document true");
  await screen.findByText("listed Plan,Notes");
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("rows Plan false,Notes true");
  await screen.findByText("document false");
  await screen.findByText("listed Notes");
  expect(server.asked.at(-1)).toBe('UnstarItem {"itemId":"Plan"}');
});

test("of several items those that have no star get one", async () => {
  const server = await starsOf(["Plan", "Notes"]);
  await screen.findByText("“Plan” is starred.");
  expect(server.asked.filter((each) => each.startsWith("Star"))).toEqual(['StarItem {"itemId":"Plan"}']);
});

test("a star that the server refuses is told, and shown nowhere", async () => {
  await starsOf(["Notes"]);
  await screen.findByText("“Notes” is no longer starred.");
  await screen.findByText("listed");
  fireEvent.click(screen.getByRole("button", { name: "star" }));
  await screen.findByText("“Notes”: You star at most 1000 items.");
  await waitFor(() => expect(screen.getByText("rows Plan false,Notes false")).toBeTruthy());
});

test("the sign above a document stars it, and says whether it is starred", async () => {
  const server = new FakeGraphql({ ItemPlace: () => ({ driveItem: PLAN }), StarItem: () => ({ starItem: PLAN }) });
  function Above() {
    const { data } = useQuery(itemPlace("Plan"));
    return data && <DocumentActions item={data} rename={() => undefined} field={{ current: null }} />;
  }
  screenOf(sessionOf(), <Above />);
  fireEvent.click(await screen.findByRole("button", { name: "Star", pressed: false }));
  await screen.findByRole("button", { name: "Star", pressed: true });
  expect(server.asked.at(-1)).toBe('StarItem {"itemId":"Plan"}');
});
