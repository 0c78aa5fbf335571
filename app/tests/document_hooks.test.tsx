// @vitest-environment happy-dom
/** What the screen of a document draws of its editor: the outline, the changes in its text, and which tools there are. */

import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Awareness } from "y-protocols/awareness";
import { useBlame } from "../src/document/blame/useBlame";
import type { DocumentSession } from "../src/document/document_session";
import { type Mark, MarksContext, useMarks } from "../src/document/marks";
import { Outline } from "../src/document/Outline";
import { Toolbar } from "../src/document/Toolbar";
import { useChangeMarks } from "../src/document/useChangeMarks";
import { useEditorValue } from "../src/document/useEditorValue";
import { useLinkAddress } from "../src/document/useLinkAddress";
import { DocumentColours } from "../src/ui/people";
import { CLIENT, closeEditors, documentOf, editorOf } from "./editors";
import { FakeGraphql, sessionOf, within } from "./fake_graphql";

afterEach(() => {
  cleanup();
  closeEditors();
  document.body.replaceChildren();
});

test("the outline has the headings, and goes to the one that is pressed", () => {
  const editor = editorOf(documentOf(["Goals", 1], ["words"], ["Dates", 3], ["", 2]));
  const show = vi.fn();
  render(<Outline editor={editor} show={show} />);
  const names = () => screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names()).toEqual(["Goals", "Dates", "Untitled heading"]);
  expect(screen.getAllByRole("listitem").map(({ dataset }) => dataset.level)).toEqual(["0", "2", "1"]);
  fireEvent.click(screen.getByRole("button", { name: "Dates" }));
  expect(show).toHaveBeenCalledOnce();
  expect(editor.state.selection.$from.parent.textContent).toBe("Dates");
});

test("the outline follows what is written, and says where there is nothing", () => {
  const editor = editorOf(documentOf(["words"]));
  render(<Outline editor={editor} show={() => undefined} />);
  screen.getByText("Headings of the document appear here.");
  act(() => void editor.chain().setTextSelection(1).setHeading({ level: 2 }).run());
  screen.getByRole("button", { name: "words" });
});

test("changes are drawn in the text while they are shown, and nothing of them is written", async () => {
  const doc = documentOf(["hello world"]);
  const editor = editorOf(doc);
  const written = vi.fn();
  doc.on("update", written);
  // the block, its text, and then the letters have the clocks of the client
  const hello: Mark = { id: "1", insertedRanges: [[CLIENT, 2, 5]], deletedRanges: [] };
  const failed = vi.fn();
  const { rerender } = renderHook(({ marks }) => useChangeMarks(editor, marks, failed), {
    initialProps: { marks: [hello] as readonly Mark[] },
  });
  const come = () => [...editor.view.dom.querySelectorAll("ins.come")].map(({ textContent }) => textContent);
  await waitFor(() => expect(come()).toEqual(["hello"]));
  rerender({ marks: [{ ...hello, insertedRanges: [[CLIENT, 8, 5]] }] });
  await waitFor(() => expect(come()).toEqual(["world"]));
  rerender({ marks: [] });
  await waitFor(() => expect(come()).toEqual([]));
  expect(written).not.toHaveBeenCalled();
  expect(failed).not.toHaveBeenCalled();
});

test("a list of changes says which are marked, as long as it is shown", () => {
  const marks: readonly Mark[] = [{ id: "1", insertedRanges: [], deletedRanges: [] }];
  let marked: readonly Mark[] = [];
  function Screen({ children }: { children: ReactNode }) {
    const [shown, setShown] = useState<readonly Mark[]>([]);
    marked = shown;
    return <MarksContext value={setShown}>{children}</MarksContext>;
  }
  const { unmount, rerender } = renderHook(({ given }) => useMarks(given), {
    initialProps: { given: null as readonly Mark[] | null },
    wrapper: Screen,
  });
  expect(marked).toEqual([]);
  rerender({ given: marks });
  expect(marked).toEqual(marks);
  unmount();
});

test("the toolbar has the tools of where the cursor is, and says what is on", async () => {
  const editor = editorOf(documentOf(["Goals", 1], ["words"]));
  render(<Toolbar editor={editor} />);
  const block = screen.getByRole<HTMLSelectElement>("combobox", { name: "Block" });
  const shown = () => [...block.options].find(({ value }) => value === block.value)?.text;
  act(() => void editor.commands.setTextSelection(2));
  await waitFor(() => expect(shown()).toBe("Heading 1"));
  expect(screen.queryByRole("combobox", { name: "Language" })).toBe(null);
  act(() => void editor.chain().setTextSelection({ from: 8, to: 10 }).toggleBold().run());
  await waitFor(() => expect(shown()).toBe("Text"));
  screen.getByRole("button", { name: "Bold", pressed: true });
  act(() => void editor.commands.setCodeBlock());
  await screen.findByRole("combobox", { name: "Language" });
  expect(screen.queryByRole("combobox", { name: "Alignment" })).toBe(null);
});

test("what the tool of tables cannot do where the cursor is, it shows as such", async () => {
  const editor = editorOf(documentOf([""]));
  const cells = (words: string) => words.replace(/\w/g, "<td><p>$&</p></td>");
  editor.commands.setContent(`<table><tr>${cells("ab")}</tr><tr><td colspan="2"><p>c</p></td></tr></table>`);
  render(<Toolbar editor={editor} />);
  const off = () =>
    [...screen.getByRole<HTMLSelectElement>("combobox", { name: "Table" }).options]
      .filter(({ disabled }) => disabled)
      .map(({ value }) => value);
  const goTo = (words: string) =>
    act(() => {
      let at = 0;
      editor.state.doc.descendants((node, place) => {
        if (node.text === words) at = place;
      });
      editor.commands.setTextSelection(at);
    });
  goTo("a");
  await waitFor(() => expect(off()).toEqual(["rowUp", "columnLeft", "columnRight", "mergeOrSplit"]));
  goTo("c");
  await waitFor(() => expect(off()).toEqual(["rowDown", "columnLeft", "columnRight", "deleteColumn"]));
  act(() => void editor.chain().deleteRow().run());
  goTo("b");
  await waitFor(() => expect(off()).toEqual(["rowUp", "rowDown", "columnRight", "mergeOrSplit", "deleteRow"]));
});

test("who wrote what is drawn while it is shown, and asked for as long", async () => {
  const server = new FakeGraphql({
    DocumentCredits: () => ({
      document: {
        credits: {
          revision: 3,
          authors: [{ userId: "ben", name: "Ben Franklin", agent: null, editedAt: "2026-01-02T00:00:00.000Z" }],
          ranges: [[CLIENT, 0, 100, 0]],
          movers: [],
          moved: [],
        },
      },
    }),
  });
  const doc = documentOf(["hello world"]);
  const editor = editorOf(doc);
  const failed = vi.fn();
  const session = { awareness: new Awareness(doc), colours: new DocumentColours() } as unknown as DocumentSession;
  const { result, rerender } = renderHook(({ isOn }) => useBlame(isOn, editor, session, "plan", failed), {
    initialProps: { isOn: false },
    wrapper: within(sessionOf()),
  });
  expect(result.current).toBe(null);
  expect(server.asked).toEqual([]);
  rerender({ isOn: true });
  await waitFor(() => expect(result.current?.read().revision).toBe(3));
  const written = () => [...editor.view.dom.querySelectorAll<HTMLElement>(".written")].map(({ title }) => title);
  await waitFor(() => expect(written().join()).toMatch(/^Ben Franklin, /));
  expect(result.current?.read().authors.map(({ name }) => name)).toEqual(["Ben Franklin"]);
  rerender({ isOn: false });
  await waitFor(() => expect(result.current).toBe(null));
  expect(written()).toEqual([]);
  expect(failed).not.toHaveBeenCalled();
});

test("what is found in an editor is told as it changes, and nothing is drawn while it stays the same", () => {
  const editor = editorOf(documentOf(["one"]));
  const drawn = vi.fn();
  const { result } = renderHook(() => {
    drawn();
    return useEditorValue(editor, ({ state }) => ({ blocks: state.doc.childCount }));
  });
  expect(result.current).toEqual({ blocks: 1 });
  drawn.mockClear();
  act(() => void editor.commands.insertContentAt(1, "more "));
  expect(drawn).not.toHaveBeenCalled();
  act(() => void editor.commands.insertContentAt(editor.state.doc.content.size, "<p>two</p>"));
  expect(result.current).toEqual({ blocks: 2 });
});

test("the address of a link is read as typed, as nothing, or refused with a word beside its field", () => {
  let read: ReturnType<typeof useLinkAddress>["read"] = () => undefined;
  function Field() {
    const address = useLinkAddress("https://example.com/");
    read = address.read;
    return (
      <>
        <input {...address.input} />
        {address.fault}
      </>
    );
  }
  render(<Field />);
  const field = screen.getByRole("textbox");
  expect(read()).toBe("https://example.com/");
  fireEvent.change(field, { target: { value: " example.com/new " } });
  expect(read()).toBe("https://example.com/new");
  fireEvent.change(field, { target: { value: " " } });
  expect(read()).toBe(null);
  expect(screen.queryByRole("alert")).toBe(null);
  fireEvent.change(field, { target: { value: "javascript:alert(1)" } });
  act(() => expect(read()).toBe(undefined));
  screen.getByRole("alert");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(field);
});
