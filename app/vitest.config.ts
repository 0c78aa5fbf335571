import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const ROUNDS = Number(process.env.CODRIVE_ROUNDS ?? 1);

/** Tests that need no browser; those that draw say `@vitest-environment happy-dom` at their top. */
export default defineConfig({
  plugins: [react()],
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    // Files share their worker's modules, most of which no test changes: to load them anew for each took most of the time.
    // No module of the application keeps state (`architecture.test.ts`), and what a test stubs ends with it.
    pool: "threads",
    isolate: false,
    restoreMocks: true,
    // a frame that a library asked for while time stood still would never come, and the library waits for it in the next file
    fakeTimers: { toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] },
    unstubGlobals: true,
    // of a busy host: what takes its time here counts, and asks no clock
    testTimeout: 120_000 * ROUNDS,
  },
});
