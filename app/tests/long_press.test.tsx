// @vitest-environment happy-dom
/** A menu that a press opens: the browser asks for it, or a finger rests. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useMenuPress } from "../src/ui/long_press";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function pressed(hasMenu: boolean) {
  const open = vi.fn((target: Element, at: DOMRect) => hasMenu && target.id === "here" && at.x === 7);
  const clicked = vi.fn();
  function Place() {
    return (
      <div {...useMenuPress(open)}>
        <button id="here" type="button" onClick={clicked}>
          Here
        </button>
      </div>
    );
  }
  const { unmount } = render(<Place />);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return { open, clicked, unmount, here: screen.getByRole("button") };
}

const FINGER = { pointerType: "touch", isPrimary: true, clientX: 7, clientY: 9 };

test("whichever comes first opens the menu, and of that touch comes nothing else", () => {
  const { open, clicked, here } = pressed(true);
  for (const isAsked of [true, false]) {
    open.mockClear();
    fireEvent.pointerDown(here, FINGER);
    if (isAsked) expect(fireEvent.contextMenu(here, { clientX: 7 })).toBe(false);
    vi.advanceTimersByTime(2000);
    expect(fireEvent.contextMenu(here, { clientX: 7 })).toBe(false);
    expect(open).toHaveBeenCalledTimes(1);
    expect(fireEvent.touchEnd(here)).toBe(false); // of which the browser makes a click
    fireEvent.click(here);
    expect(clicked).not.toHaveBeenCalled();
  }
  fireEvent.pointerDown(here, FINGER);
  fireEvent.pointerUp(here, FINGER);
  fireEvent.click(here);
  expect(clicked).toHaveBeenCalledTimes(1);
});

test("what has no menu is as without it, and what is gone opens none", () => {
  const { open, clicked, here, unmount } = pressed(false);
  fireEvent.pointerDown(here, FINGER);
  vi.advanceTimersByTime(2000);
  expect(open).toHaveBeenCalledTimes(1);
  expect(fireEvent.contextMenu(here)).toBe(true);
  fireEvent.click(here);
  expect(clicked).toHaveBeenCalledTimes(1);
  fireEvent.pointerDown(here, FINGER);
  unmount();
  vi.advanceTimersByTime(2000);
  expect(open).toHaveBeenCalledTimes(2);
});

test("keys do after a press what they always do", () => {
  const { clicked, here } = pressed(true);
  fireEvent.pointerDown(here, FINGER);
  vi.advanceTimersByTime(2000);
  fireEvent.keyDown(here, { key: "Enter" });
  fireEvent.click(here); // as the browser makes one of Enter
  expect(clicked).toHaveBeenCalledTimes(1);
});
