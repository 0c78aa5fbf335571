import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const ROUNDS = Number(process.env.CODRIVE_ROUNDS ?? 1);

/** Tests that need no browser; those that draw say `@vitest-environment happy-dom` at their top. */
export default defineConfig({
  plugins: [react()],
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    // of a busy host: what takes its time here counts, and asks no clock
    testTimeout: 120_000 * ROUNDS,
    unstubGlobals: true,
  },
});
