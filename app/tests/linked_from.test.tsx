// @vitest-environment happy-dom
/** What links to a document is listed below its outline, page by page. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LinkedFrom } from "../src/drive/LinkedFrom";
import { END, FakeGraphql, row, sessionOf } from "./fake_graphql";
import { screenOf } from "./screens";

afterEach(cleanup);

test("all documents that link to one are listed, and lead there", async () => {
  new FakeGraphql({
    Backlinks: ({ after }) => ({
      driveItem: {
        backlinks: after
          ? { nodes: [row("Notes")], pageInfo: END }
          : { nodes: [row("Plan")], pageInfo: { hasNextPage: true, endCursor: "2" } },
      },
    }),
  });
  screenOf(sessionOf(), <LinkedFrom documentId="Minutes" />);
  await screen.findByRole("heading", { name: "Linked from" });
  fireEvent.click(screen.getByRole("button", { name: "Show more" }));
  await screen.findByRole("link", { name: "Notes" });
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/doc/Plan", "/doc/Notes"]);
});

test("nothing is said of a document that nobody links to, or that is gone", async () => {
  const server = new FakeGraphql({ Backlinks: () => ({ driveItem: null }) });
  screenOf(sessionOf(), <LinkedFrom documentId="Minutes" />);
  await expect.poll(() => server.asked.length).toBe(1);
  expect(screen.queryByRole("heading")).toBeNull();
});
