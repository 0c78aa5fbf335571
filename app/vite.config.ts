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
/**
 * What is built, by the mode: the application, and GraphiQL beside it, so that neither changes how the other is divided.
 * The best brotli takes GraphiQL 20 times as long as a good one, at each installation, and saves a developer 150 kB once.
 */
const BUNDLES: Record<string, { input: string; base: string; outDir: string; brotli: number }> = {
  production: { input: "src/main.tsx", base: "/static/app/", outDir: "../web/built", brotli: 11 },
  graphiql: { input: "src/graphiql/main.tsx", base: "/static/graphiql/", outDir: "../web/built/graphiql", brotli: 9 },
};

/** Writes each asset in brotli of a quality and in gzip beside it, so that the server never compresses one. */
function precompressed(built: string, quality: number): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(built).filter((each) => /\.(js|css|svg)$/.test(each))) {
        const content = readFileSync(join(built, name));
        const params = {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        writeFileSync(join(built, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(join(built, `${name}.gz`), gzipSync(content, { level: 9 }));
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

export default defineConfig(({ command, mode }) => {
  const { input, base, outDir, brotli } = BUNDLES[mode] ?? BUNDLES.production;
  return {
    base: command === "build" ? base : "/",
    plugins: [react(), precompressed(outDir, brotli), pages()],
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: "",
      target: "es2023",
      // for an older browser `:dir()` would become a list of languages, which no document names
      cssTarget: ["chrome120", "firefox121", "safari16.4"],
      manifest: "manifest.json",
      // the packages want to be named wherever their code is given on
      license: { fileName: "licences.md" },
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // What every page needs is one script: a chunk for each set of screens that share some of it would be a dozen requests.
      rollupOptions: { input, output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } } },
      chunkSizeWarningLimit: 1000,
    },
    resolve: { alias: [{ find: /^linkifyjs$/, replacement: join(import.meta.dirname, "src/document/linkify.ts") }] },
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
  };
});
