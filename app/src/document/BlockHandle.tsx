/** The handle at the left of a block: adds one below it, drags it, and opens its menu, which a key opens, too. */

import type { Editor } from "@tiptap/core";
import { Fragment, type Node, Slice } from "@tiptap/pm/model";
import type { EditorView } from "@tiptap/pm/view";
import { ArrowDown, ArrowUp, ClipboardCopy, Copy, GripVertical, Plus, Repeat2, Trash2 } from "lucide-react";
import { type DragEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../messages/messages";
import { useIsTouch } from "../ui/media";
import { MenuItem, MenuKeys, ShownMenu, Submenu } from "../ui/menu";
import style from "./BlockHandle.module.css";
import { addBlock, deleteBlock, duplicateBlock, mayTurn, moveTo, stepBlock, turnBlock } from "./block_acts";
import { TURNS, toolLabel } from "./blocks";
import { mappingOf } from "./changed";
import { heldIn, hold } from "./held_block";
import { blockOf } from "./moving";
import { shownKeys } from "./shown_keys";
import { useEditorValue } from "./useEditorValue";

const REACH = 90; // pixels left of the text in which the pointer is beside a block
const NEAR = 12; // pixels above and below a block

export type BesideProps = {
  editor: Editor;
  /** What the pointer did last. */
  pointer?: PointerEvent | null;
};

export function BlockHandle({ editor, pointer = null }: BesideProps) {
  const { view } = editor;
  const isTouch = useIsTouch();
  const beside = useBeside(editor, pointer);
  const held = useEditorValue(editor, ({ state }) => heldIn(state)); // the block that is dragged, or whose menu is open
  const handle = useRef<HTMLDivElement>(null);
  const line = useDrops(view, held?.isDragged === true);
  const isOpen = held !== null && !held.isDragged;
  const at = held?.at ?? beside;
  const block = at === null ? null : view.state.doc.nodeAt(at);

  useLayoutEffect(() => {
    const { current } = handle;
    const around = current?.offsetParent?.getBoundingClientRect();
    if (!current || !around || at === null) return;
    const { top, bottom } = firstLine(view, at);
    current.style.setProperty("top", `${(top + bottom - current.offsetHeight) / 2 - around.top}px`);
  });

  const place = useCallback(() => {
    const { at } = heldIn(view.state) ?? {};
    const { top, bottom } = at === undefined ? { top: 0, bottom: 0 } : firstLine(view, at);
    return new DOMRect(view.dom.getBoundingClientRect().left - 24, top, 24, bottom - top);
  }, [view]);

  function drag({ dataTransfer }: DragEvent) {
    const dom = at === null ? null : view.nodeDOM(at);
    if (at === null || !block || !(dom instanceof HTMLElement)) return;
    const slice = new Slice(Fragment.from(block), 0, 0);
    const { dom: copied, text } = view.serializeForClipboard(slice);
    dataTransfer.setData("text/html", copied.innerHTML);
    dataTransfer.setData("text/plain", text);
    dataTransfer.effectAllowed = "copyMove";
    dataTransfer.setDragImage(dom, 0, 0);
    hold(view, { at, isDragged: true });
  }

  return (
    <>
      {block && at !== null && !isTouch && (
        <div ref={handle} className={style.handle} data-handle="">
          <button
            type="button"
            tabIndex={-1}
            aria-label={t.document.addBlock}
            title={t.document.addBlock}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => addBlock(editor, at)}
          >
            <Plus aria-hidden size={16} />
          </button>
          <button
            type="button"
            tabIndex={-1}
            className={style.grip}
            aria-label={toolLabel("blockMenu")}
            title={t.document.dragBlock(shownKeys("Mod-Shift-Enter"))}
            aria-haspopup="menu"
            draggable
            onDragStart={drag}
            onDragEnd={() => hold(view, null)}
            onClick={() => hold(view, { at, isDragged: false })}
          >
            <GripVertical aria-hidden size={16} />
          </button>
        </div>
      )}
      <div ref={line} className={style.line} hidden />
      <ShownMenu
        isOpen={isOpen}
        close={() => hold(view, null)}
        anchor={place}
        isSheet={isTouch}
        within="main"
        after={() => view.dom}
      >
        {held && <Acts editor={editor} at={held.at} block={block} />}
      </ShownMenu>
    </>
  );
}

function Acts({ editor, at, block }: { editor: Editor; at: number; block: Node | null }) {
  return (
    <>
      {mayTurn(block) && (
        <Submenu
          within="main"
          label={
            <>
              <Repeat2 aria-hidden size={16} />
              {t.document.turnInto}
            </>
          }
        >
          {TURNS.map((each) => (
            <MenuItem key={each.name} onClick={() => turnBlock(editor, at, each)}>
              <each.sign aria-hidden size={16} />
              {toolLabel(each.name)}
              {each.keys && <MenuKeys>{shownKeys(each.keys)}</MenuKeys>}
            </MenuItem>
          ))}
        </Submenu>
      )}
      <MenuItem onClick={() => duplicateBlock(editor, at)}>
        <Copy aria-hidden size={16} />
        {t.document.duplicateBlock}
      </MenuItem>
      {block?.type.spec.code && (
        <MenuItem onClick={() => void navigator.clipboard.writeText(block.textContent).catch(() => undefined)}>
          <ClipboardCopy aria-hidden size={16} />
          {t.document.copyCode}
        </MenuItem>
      )}
      <MenuItem onClick={() => stepBlock(editor, at, -1)}>
        <ArrowUp aria-hidden size={16} />
        {toolLabel("moveUp")}
        <MenuKeys>{shownKeys("Alt-↑")}</MenuKeys>
      </MenuItem>
      <MenuItem onClick={() => stepBlock(editor, at, 1)}>
        <ArrowDown aria-hidden size={16} />
        {toolLabel("moveDown")}
        <MenuKeys>{shownKeys("Alt-↓")}</MenuKeys>
      </MenuItem>
      <MenuItem onClick={() => deleteBlock(editor, at)}>
        <Trash2 aria-hidden size={16} />
        {t.document.deleteBlock}
      </MenuItem>
    </>
  );
}

/**
 * Returns where the block begins that the pointer is beside; null where it is beside none, and while somebody types. `first` is
 * what the pointer did before.
 */
function useBeside(editor: Editor, first: PointerEvent | null): number | null {
  const [beside, setBeside] = useState<{ at: number } | null>(null);
  useEffect(() => {
    const { view } = editor;
    const moved = ({ target, pointerType, buttons, clientX, clientY }: PointerEvent) => {
      if (pointerType !== "mouse" || buttons || !(target instanceof Element) || target.closest("[data-handle]")) return;
      const at = isBesideText(view, target, clientX) ? blockAtHeight(view, clientY) : null;
      setBeside((before) => (before?.at === at ? before : at === null ? null : { at }));
    };
    const typed = () => setBeside(null);
    const followed = ({ transaction }: { transaction: Parameters<typeof mappingOf>[0] }) => {
      if (!transaction.docChanged) return;
      setBeside((before) => {
        const { pos, deletedAfter } = mappingOf(transaction).mapResult(before?.at ?? 0);
        return before && !deletedAfter ? { at: pos } : null;
      });
    };
    if (first) moved(first);
    document.addEventListener("pointermove", moved);
    view.dom.addEventListener("keydown", typed);
    editor.on("transaction", followed);
    return () => {
      document.removeEventListener("pointermove", moved);
      view.dom.removeEventListener("keydown", typed);
      editor.off("transaction", followed);
    };
  }, [editor, first]);
  return beside?.at ?? null;
}

/** Whether the pointer is in the text or left of it, and over nothing that lies on it. */
function isBesideText({ dom }: EditorView, target: Element, x: number): boolean {
  const { left, right } = dom.getBoundingClientRect();
  return x > left - REACH && x < right && (dom.contains(target) || target.contains(dom));
}

function blockAtHeight(view: EditorView, y: number): number | null {
  const found = nearest(view, y);
  return found && y > found.box.top - NEAR && y < found.box.bottom + NEAR ? found.at : null;
}

/** Returns the block at a height of the window, or the one next to it. */
function nearest(view: EditorView, y: number): { at: number; node: Node; box: DOMRect } | null {
  const found = view.posAtCoords({ left: view.dom.getBoundingClientRect().left + 1, top: y });
  if (!found) return null;
  const isWhole = found.inside >= 0 && view.state.doc.nodeAt(found.inside)?.isAtom;
  const block = blockOf(view.state.doc.resolve(isWhole ? found.inside : found.pos));
  const dom = block && view.nodeDOM(block.at);
  return block && dom instanceof HTMLElement ? { ...block, box: dom.getBoundingClientRect() } : null;
}

/** While a block is dragged, moves it to where it is dropped: the pointer's height counts. Returns the line that says where. */
function useDrops(view: EditorView, isDragged: boolean) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = line;
    if (!isDragged || !current) return;
    const over = (event: globalThis.DragEvent) => {
      const held = heldIn(view.state);
      const found = nearest(view, event.clientY);
      if (!held || !found || !(event.target instanceof Element) || !event.target.closest("article")) return null;
      event.preventDefault();
      event.stopPropagation(); // the editor would place it by the letter under the pointer
      const { at, node, box } = found;
      const isBehind = event.clientY > (box.top + box.bottom) / 2;
      return {
        from: held.at,
        to: isBehind ? at + node.nodeSize : at,
        left: box.left,
        y: isBehind ? box.bottom : box.top,
      };
    };
    const dragged = (event: globalThis.DragEvent) => {
      const place = over(event);
      const around = current.parentElement?.getBoundingClientRect();
      current.hidden = !place;
      if (!place || !around) return;
      current.style.setProperty("top", `${place.y - around.top}px`);
      current.style.setProperty("left", `${place.left - around.left}px`);
    };
    const dropped = (event: globalThis.DragEvent) => {
      const place = over(event);
      if (!place) return;
      moveTo(view, place.from, place.to);
      view.focus();
    };
    document.addEventListener("dragover", dragged, true);
    document.addEventListener("drop", dropped, true);
    return () => {
      document.removeEventListener("dragover", dragged, true);
      document.removeEventListener("drop", dropped, true);
      current.hidden = true;
    };
  }, [view, isDragged]);
  return line;
}

/** Returns the height of the first line of a block, or of the upper edge of what has none. */
function firstLine(view: EditorView, at: number): { top: number; bottom: number } {
  const node = view.state.doc.nodeAt(at);
  let text = node?.isTextblock ? at + 1 : -1;
  if (node?.type.name !== "table")
    node?.descendants((child, offset) => {
      if (text < 0 && child.isTextblock) text = at + offset + 2;
      return text < 0;
    });
  if (text >= 0) return view.coordsAtPos(text);
  const dom = view.nodeDOM(at);
  const { top, height } = dom instanceof HTMLElement ? dom.getBoundingClientRect() : new DOMRect();
  return { top, bottom: top + Math.min(height, 32) };
}
