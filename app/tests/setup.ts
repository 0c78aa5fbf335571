/** The tests read the application in English, as their names do. */

import { configure } from "@testing-library/react";
import { beforeEach } from "vitest";
import { speak } from "../src/messages/messages";

// of a busy host: what is waited for comes, however long that takes
configure({ asyncUtilTimeout: 60_000 });

beforeEach(async () => {
  await speak("en", ["en-US"]);
});
