import { expect, test } from "vitest";
import { after, closing, endedBy, type Happening, type Status } from "../src/document/session_states";

const STATUSES: readonly Status[] = [
  "connecting",
  "live",
  "waiting",
  "signedOut",
  "otherUser",
  "missing",
  "full",
  "driveFull",
  "refused",
  "notAllowed",
  "unsent",
];
const HAPPENINGS: readonly Happening[] = [
  "synced",
  "lost",
  "offline",
  "sessionEnded",
  "gone",
  "overFull",
  "driveOverFull",
  "refused",
  "readOnly",
  "unsent",
  "same",
  "other",
  "nobody",
  "unknown",
];

/** Return the state to which this leads; what changes nothing is left out. */
function led(from: Status, ...happenings: Happening[]): Status {
  return happenings.reduce((status, what) => after(status, what) ?? status, from);
}

test("a connection that is lost is made again for the same person, and for nobody else", () => {
  expect(led("connecting", "synced")).toBe("live");
  expect(led("live", "lost", "unknown", "same", "synced")).toBe("live");
  expect(led("live", "offline", "other")).toBe("otherUser");
  expect(led("live", "lost", "nobody")).toBe("signedOut");
  expect(led("signedOut", "same", "synced")).toBe("live");
  expect(led("signedOut", "nobody")).toBe("signedOut");
  expect(led("signedOut", "other")).toBe("otherUser");
});

test("a connection that is waited for is not lost once more, and none is made before the person is known", () => {
  expect(after("waiting", "lost")).toBe(null);
  for (const what of HAPPENINGS) if (after("waiting", what) === "connecting") expect(what).toBe("same");
});

test.each([
  [4401, "signedOut"],
  [4403, "refused"],
  [4404, "missing"],
  [4413, "full"],
  [4422, "refused"],
  [1009, "refused"],
  [1000, "waiting"],
  [1006, "waiting"],
  [4205, "waiting"],
  [4429, "waiting"],
] as const)("the close code %i leads to %s", (code, status) => {
  for (const from of ["connecting", "live"] as const) expect(led(from, closing(code))).toBe(status);
});

test("a drive without storage left is told from a document that is full, and is tried again", () => {
  expect(closing(4413, "LIMIT_EXCEEDED")).toBe("overFull");
  expect(led("live", closing(4413, "STORAGE_FULL"))).toBe("driveFull");
  expect(led("connecting", closing(4413, "STORAGE_FULL"), "same", "synced")).toBe("live");
  expect(led("driveFull", "other")).toBe("otherUser");
});

test("what ended for a reason that only a person can mend goes on by nothing that happens", () => {
  for (const status of STATUSES) {
    const ways = HAPPENINGS.filter((what) => after(status, what) !== null);
    expect(ways.length > 0, status).toBe(endedBy(status) === null || ["signedOut", "driveFull"].includes(status));
    expect(endedBy(status)).toBe(["connecting", "live", "waiting"].includes(status) ? null : status);
  }
});
