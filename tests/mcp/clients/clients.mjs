// Calls tools through one of the official clients: `node clients.mjs v1|v2|v2-auto`, told on standard input
// {url, headers, calls: [{name, arguments}]}, prints {revision, server, tools, answers}.
import * as v2 from '@modelcontextprotocol/client';
import * as v1 from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { text } from 'node:stream/consumers';

const { url, headers, calls } = JSON.parse(await text(process.stdin));
const which = process.argv[2];
const options = which === 'v2-auto' ? { versionNegotiation: { mode: 'auto' } } : {};
const [sdk, Transport] = which === 'v1' ? [v1, StreamableHTTPClientTransport] : [v2, v2.StreamableHTTPClientTransport];
const transport = new Transport(new URL(url), { requestInit: { headers } });
const client = new sdk.Client({ name: 'codrive-tests', version: '1' }, options);

let revision;
const sent = globalThis.fetch;
globalThis.fetch = (address, init) => {
  revision = new Headers(init?.headers).get('mcp-protocol-version') ?? revision;
  return sent(address, init);
};

await client.connect(transport);
const { tools } = await client.listTools();
const answers = [];
for (const call of calls) {
  try {
    answers.push(await client.callTool(call));
  } catch (error) {
    answers.push({ error: { code: error.code, message: error.message } });
  }
}
console.log(JSON.stringify({ revision, server: client.getServerVersion(), tools, answers }));
await client.close();
