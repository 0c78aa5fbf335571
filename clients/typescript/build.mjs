// Compiles `src` into `dist`, after installing the compiler that package-lock.json names if it is missing.
// npm runs this as `prepare` when the package is installed from a checkout, and then installs no devDependencies itself.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL(".", import.meta.url));
const compiler = fileURLToPath(new URL("node_modules/typescript/bin/tsc", import.meta.url));
const run = (...words) => execFileSync(process.execPath, words, { cwd, stdio: "inherit" });

if (!existsSync(compiler)) run(process.env.npm_execpath, "ci", "--ignore-scripts", "--no-audit", "--no-fund");
run(compiler, "--project", "tsconfig.json");
