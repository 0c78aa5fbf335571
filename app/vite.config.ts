import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const SERVER = "http://127.0.0.1:8000";
const SERVED = ["/graphql", "/images", "/settings", "/sign-in", "/sign-out", "/static", "/api"];
const BUILT = "../web/built";

/** Writes each asset in brotli and in gzip beside it, so that the server never compresses one. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(BUILT).filter((each) => /\.(js|css|svg)$/.test(each))) {
        const content = readFileSync(join(BUILT, name));
        const params = {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        writeFileSync(join(BUILT, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(join(BUILT, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: "/static/app/",
  plugins: [react(), precompressed()],
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    assetsDir: "",
    target: "es2023",
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: { input: "src/main.tsx" },
  },
  server: { proxy: Object.fromEntries(SERVED.map((path) => [path, { target: SERVER, ws: true }])) },
});
