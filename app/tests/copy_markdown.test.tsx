// @vitest-environment happy-dom
/** What a screen shows is copied as Markdown, and what keeps it from that is said. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Refused } from "../src/graphql/ask";
import { MarkdownContext, type MarkdownSource, useCopyMarkdown } from "../src/ui/markdown";
import { sessionOf } from "./fake_graphql";
import { screenOf } from "./screens";

afterEach(cleanup);

class Item {
  constructor(readonly data: Record<string, Promise<Blob>>) {}
}

/** Draw a button that copies from a source; what is copied is in the list that is returned. */
async function copying(source: MarkdownSource | null, mayWrite = true) {
  const copied: string[] = [];
  const write = async ([item]: Item[]) => {
    if (!mayWrite) throw new DOMException("no", "NotAllowedError");
    copied.push((await (await item?.data["text/plain"])?.text()) ?? "");
  };
  vi.stubGlobal("ClipboardItem", Item);
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ write } as unknown as Clipboard);
  function Button() {
    const copy = useCopyMarkdown();
    return (
      <button type="button" onClick={copy ?? undefined}>
        {copy ? "copy" : "nothing"}
      </button>
    );
  }
  screenOf(
    sessionOf(),
    <MarkdownContext value={source}>
      <Button />
    </MarkdownContext>,
  );
  fireEvent.click(await screen.findByRole("button"));
  return copied;
}

test("a screen without a text copies nothing", async () => {
  await copying(null);
  screen.getByRole("button", { name: "nothing" });
});

test.each([
  [true, "What is selected is copied as Markdown."],
  [false, "The document is copied as Markdown."],
])("what is copied is said: of a selection %s", async (hasSelection, said) => {
  const copied = await copying({ hasSelection: () => hasSelection, read: async () => "# Title\n" });
  await screen.findByText(said);
  expect(copied).toEqual(["# Title\n"]);
});

test("what keeps it from being copied is said", async () => {
  const read = async () => {
    throw new Refused({ code: "LIMIT_EXCEEDED", message: "it is too much" });
  };
  await copying({ hasSelection: () => true, read });
  await screen.findByText("It is too much.");
  cleanup();
  await copying({ hasSelection: () => true, read: async () => "text" }, false);
  await screen.findByText(/^This browser does not let the page copy/);
});
