// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Moment } from "../src/ui/Moment";
import { ago } from "../src/ui/moments";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const NOW = new Date(2026, 2, 12, 15, 0); // where the reader is

test.each([
  [new Date(2026, 2, 12, 14, 59, 30), "now"],
  [new Date(2026, 2, 12, 15, 0, 5), "now"], // of a clock that is a little ahead
  [new Date(2026, 2, 12, 14, 59, 0), "1 minute ago"],
  [new Date(2026, 2, 12, 14, 1), "59 minutes ago"],
  [new Date(2026, 2, 12, 0, 1), "14 hours ago"],
  [new Date(2026, 2, 11, 23, 59), "yesterday"],
  [new Date(2026, 2, 11, 0, 1), "yesterday"],
  [new Date(2026, 2, 6, 23, 0), "6 days ago"],
  [new Date(2026, 2, 5, 23, 0), "Mar 5, 2026"],
])("%s is told as %s", (time, words) => {
  expect(ago(time, NOW)).toBe(words);
});

test("what was written last evening is hours ago soon after midnight", () => {
  expect(ago(new Date(2026, 2, 11, 23, 0), new Date(2026, 2, 12, 1, 30))).toBe("2 hours ago");
});

test("time passes while it is shown, and the exact moment is beside the pointer", () => {
  vi.useFakeTimers({ now: NOW });
  render(<Moment at={NOW.toISOString()} />);
  expect(screen.getByText("now").title).toContain("3:00");
  act(() => void vi.advanceTimersByTime(61_000));
  screen.getByText("1 minute ago");
});
