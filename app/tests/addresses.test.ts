/** Where a link may lead: the cases are those of the server, `tests/documents/test_addresses.py`. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mayLead } from "../src/document/addresses";

const CASES: { led: string[]; not_led: string[] } = JSON.parse(
  readFileSync(new URL("../../tests/documents/samples/addresses.json", import.meta.url), "utf-8"),
);

test.each(CASES.led)("a reader may be led to %j", (address) => {
  expect(mayLead(address)).toBe(true);
});

test.each(CASES.not_led)("a reader is not led to %j", (address) => {
  expect(mayLead(address)).toBe(false);
});
