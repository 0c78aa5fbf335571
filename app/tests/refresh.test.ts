import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Refresh } from "../src/graphql/refresh.ts";

test("a list that changes all the time is asked for seldom, the seldomer the longer it is, and at once after a rest", async () => {
  let now = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  const loaded: number[] = [];
  const refresh = new Refresh(async () => {
    loaded.push(now);
    return 50;
  });
  async function pass(milliseconds: number) {
    now += milliseconds;
    mock.timers.tick(milliseconds);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  for (; now < 120_000; await pass(100)) refresh.ask();
  assert.deepEqual(loaded, [200, 50_200, 100_200]);
  await pass(200_000);
  assert.equal(loaded.length, 4, "what changed last is asked for, too");
  await pass(50_000);
  refresh.ask();
  await pass(200);
  assert.equal(loaded.length, 5);
  refresh.ask();
  refresh.end();
  await pass(200_000);
  assert.equal(loaded.length, 5);
});
