import assert from "node:assert/strict";
import { afterEach, expect, test, vi } from "vitest";
import { Refresh } from "../src/graphql/refresh";

afterEach(() => {
  vi.useRealTimers();
});

test("a list that changes all the time is asked for seldom, the seldomer the longer it is, and at once after a rest", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], now: 0 });
  const begun = performance.now();
  const loaded: number[] = [];
  const refresh = new Refresh(async () => {
    loaded.push(performance.now() - begun);
    return 50;
  });
  for (let now = 0; now < 120_000; now += 100) {
    refresh.ask();
    await vi.advanceTimersByTimeAsync(100);
  }
  assert.deepEqual(loaded, [200, 50_200, 100_200]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(loaded.length, "what changed last is asked for, too").toBe(4);
  await vi.advanceTimersByTimeAsync(50_000);
  refresh.ask();
  await vi.advanceTimersByTimeAsync(200);
  assert.equal(loaded.length, 5);
  refresh.ask();
  refresh.end();
  await vi.advanceTimersByTimeAsync(200_000);
  assert.equal(loaded.length, 5);
});
