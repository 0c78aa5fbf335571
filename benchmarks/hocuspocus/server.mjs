// Hocuspocus with its defaults, in memory: it prints its port, and collects garbage for every line that it reads.
import { Server } from "@hocuspocus/server";
import { createInterface } from "node:readline";

const server = new Server({ port: 0, address: "127.0.0.1", quiet: true });
await server.listen();
console.log(server.address.port);
for await (const _ of createInterface({ input: process.stdin })) {
  globalThis.gc();
  console.log("collected");
}
