// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useSidebar } from "../src/shell/useSidebar";
import { useIsTouch, useMedia } from "../src/ui/media";
import { useTitle } from "../src/ui/title";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
});

/** What a window answers to media queries: `turn` says that one holds now, or no longer. */
function windowWith(...holding: string[]) {
  const held = new Set(holding);
  const lists = new Map<string, EventTarget>();
  vi.spyOn(globalThis, "matchMedia").mockImplementation((query) => {
    const list = lists.get(query) ?? new EventTarget();
    lists.set(query, list);
    return Object.defineProperty(list, "matches", { get: () => held.has(query), configurable: true }) as MediaQueryList;
  });
  return {
    turn(query: string, holds: boolean) {
      if (holds) held.add(query);
      else held.delete(query);
      lists.get(query)?.dispatchEvent(new Event("change"));
    },
  };
}

test("a media query is followed, and another one in its place", () => {
  const page = windowWith("(width > 80rem)");
  const { result, rerender, unmount } = renderHook(({ query }) => useMedia(query), {
    initialProps: { query: "(width > 80rem)" },
  });
  expect(result.current).toBe(true);
  act(() => page.turn("(width > 80rem)", false));
  expect(result.current).toBe(false);
  rerender({ query: "print" });
  expect(result.current).toBe(false);
  act(() => page.turn("print", true));
  expect(result.current).toBe(true);
  unmount();
  page.turn("print", false); // nobody hears it
});

test("a finger is a coarse pointer", () => {
  const page = windowWith();
  const { result } = renderHook(() => useIsTouch());
  expect(result.current).toBe(false);
  act(() => page.turn("(pointer: coarse)", true));
  expect(result.current).toBe(true);
});

test("the window is called after what it shows", () => {
  const { rerender } = renderHook(({ title }) => useTitle(title), {
    initialProps: { title: "Plan" as string | undefined },
  });
  expect(document.title).toBe("Plan – Codrive");
  rerender({ title: undefined });
  expect(document.title).toBe("Codrive");
});

test("the sidebar is a drawer in a narrow window, and in any where its reader folded it away, until they unfold it", () => {
  const narrow = "(max-width: 56.24rem)";
  const page = windowWith();
  const { result, unmount } = renderHook(useSidebar);
  expect(result.current.isDrawer).toBe(false);
  act(() => page.turn(narrow, true));
  expect(result.current).toMatchObject({ isNarrow: true, isFolded: false, isDrawer: true });
  act(() => page.turn(narrow, false));
  act(() => result.current.fold(true));
  expect(result.current.isDrawer).toBe(true);
  unmount();
  const again = renderHook(useSidebar);
  expect(again.result.current).toMatchObject({ isNarrow: false, isFolded: true, isDrawer: true });
  act(() => again.result.current.fold(false));
  expect(renderHook(useSidebar).result.current.isDrawer).toBe(false);
});
