// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KeySequence, setSingleKeys, useKeydown, useKeys } from "../src/ui/keys";

let sequence: KeySequence;

beforeEach(() => {
  localStorage.clear();
  document.body.innerHTML = `<main><input><p tabindex="0"></p></main><div role="dialog"><button></button></div>`;
  sequence = new KeySequence();
});
afterEach(() => vi.useRealTimers());

function press(key: string, where = "p", held: KeyboardEventInit = {}) {
  const target = document.querySelector(where) as HTMLElement;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held });
  target.dispatchEvent(event);
  return sequence.press(event);
}

test("a key is bound by what the table says, with Ctrl or ⌘ alike", () => {
  expect(press("/")).toBe("search");
  expect(press("?")).toBe("keys");
  expect(press("k", "p", { ctrlKey: true })).toBe("palette");
  expect(press("K", "p", { metaKey: true })).toBe("palette");
  expect(press("k")).toBe(null);
});

test("two keys are one command within five seconds, and no others come between", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  expect(press("g")).toBe("first");
  expect(press("Shift")).toBe(null);
  expect(press("t")).toBe("trash");
  expect(press("t")).toBe(null);
  press("g");
  expect(press("x")).toBe(null);
  expect(press("h")).toBe(null);
  press("g");
  vi.advanceTimersByTime(5_001);
  expect(press("h")).toBe(null);
});

test("keys in a dialog, in a field, with Alt, or taken already are left alone", () => {
  expect(press("/", "input")).toBe(null);
  expect(press("/", "button")).toBe(null);
  expect(press("/", "p", { altKey: true })).toBe(null);
  const taken = new KeyboardEvent("keydown", { key: "/", cancelable: true });
  taken.preventDefault();
  expect(sequence.press(taken)).toBe(null);
  expect(press("k", "input", { ctrlKey: true })).toBe("palette");
});

test("a list leaves the keys of every screen to them, and takes all others", () => {
  const target = document.querySelector("p");
  expect(["/", "g", "?"].map((key) => sequence.takes({ key, target }))).toEqual([true, true, true]);
  expect(sequence.takes({ key: "x", target })).toBe(false);
  press("g");
  expect(sequence.takes({ key: "x", target }), "it ends what `g` began").toBe(true);
});

test("keys of a single character can be turned off; those with Ctrl stay", () => {
  setSingleKeys(false);
  expect([press("/"), press("g"), press("h")]).toEqual([null, null, null]);
  expect(sequence.takes({ key: "/", target: document.querySelector("p") })).toBe(false);
  expect(press("k", "p", { ctrlKey: true })).toBe("palette");
  setSingleKeys(true);
  expect(press("/")).toBe("search");
});

test("keys of a screen do nothing where text is written or in a dialog, but for those that write nothing", () => {
  const done: string[] = [];
  const { unmount } = renderHook(() =>
    useKeys({ m: () => done.push("move"), "Shift+S": () => done.push("star"), F2: () => done.push("rename") }),
  );
  press("m");
  press("S", "p", { shiftKey: true });
  press("m", "p", { ctrlKey: true });
  for (const where of ["input", "button"]) for (const key of ["m", "F2"]) press(key, where);
  expect(done).toEqual(["move", "star", "rename"]);
  setSingleKeys(false);
  press("m");
  press("F2");
  unmount();
  press("F2");
  expect(done).toEqual(["move", "star", "rename", "rename"]);
});

test("what hears keys is what was given last, until the screen is gone", () => {
  const heard: string[] = [];
  const hook = renderHook(({ name }) => useKeydown(({ key }) => heard.push(`${name} ${key}`)), {
    initialProps: { name: "one" },
  });
  press("a");
  hook.rerender({ name: "two" });
  press("b");
  hook.unmount();
  press("c");
  expect(heard).toEqual(["one a", "two b"]);
});
