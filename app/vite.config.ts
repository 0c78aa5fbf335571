import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const SERVER = process.env.CODRIVE_ORIGIN ?? "http://127.0.0.1:8000";
const SERVED = [
  "/graphql",
  "/images",
  "/settings",
  "/sign-in",
  "/sign-out",
  "/static",
  "/chart",
  "/api",
  "/collaboration",
];
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

/** In development: the page comes from the server, with the session's first data, and its scripts from here. */
function pages(): Plugin {
  return {
    name: "pages",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (request.method !== "GET" || !request.headers.accept?.includes("text/html")) return next();
        const headers = { cookie: request.headers.cookie ?? "" };
        const answer = await fetch(SERVER + request.url, { headers }).catch(() => null);
        if (!answer) return next(new Error(`no server answers at ${SERVER}: start it with \`just serve\``));
        const text = await answer.text();
        if (answer.redirected) {
          const { pathname, search } = new URL(answer.url);
          response.writeHead(303, { location: pathname + search }).end();
          return;
        }
        if (!text.includes('id="boot"')) return next();
        const own = text.replace(/<(link|script)[^>]*"\/static\/app\/[^>]*>(<\/script>)?/g, "");
        const page = own.replace("</head>", '<script type="module" src="/src/main.tsx"></script></head>');
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(await server.transformIndexHtml(request.url ?? "/", page));
      });
    },
  };
}

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/app/" : "/",
  plugins: [react(), precompressed(), pages()],
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    assetsDir: "",
    target: "es2023",
    manifest: "manifest.json",
    // the packages want to be named wherever their code is given on
    license: { fileName: "licences.md" },
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: { input: "src/main.tsx" },
  },
  appType: "custom",
  server: {
    fs: { allow: [".."] },
    // the server takes forms, requests and sockets from its own pages alone
    proxy: Object.fromEntries(
      SERVED.map((path) => [
        path,
        { target: SERVER, ws: true, changeOrigin: true, rewriteWsOrigin: true, headers: { origin: SERVER } },
      ]),
    ),
  },
}));
