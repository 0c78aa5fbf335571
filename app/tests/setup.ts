/** The tests read the application in English, as their names do. */

import { configure } from "@testing-library/react";
import { afterAll, beforeEach } from "vitest";
import { speak } from "../src/messages/messages";

// of a busy host: what is waited for comes, however long that takes
configure({ asyncUtilTimeout: 60_000 });

beforeEach(async () => {
  await speak("en", ["en-US"]);
});

/** The page is that of the worker's next file, too. */
afterAll(() => {
  if (!("document" in globalThis)) return;
  document.body.replaceChildren();
  localStorage.clear();
});
