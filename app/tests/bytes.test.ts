import { expect, test } from "vitest";
import { inBytes } from "../src/ui/bytes";

test.each([
  [0, "0 B"],
  [1023, "1,023 B"],
  [1024, "1 KiB"],
  [1.5 * 1024 ** 3, "1.5 GiB"],
  [10 * 1024 ** 3, "10 GiB"],
  [4096 * 1024 ** 4, "4,096 TiB"],
])("%i bytes are %s", (count, text) => {
  expect(inBytes(count)).toBe(text);
});
