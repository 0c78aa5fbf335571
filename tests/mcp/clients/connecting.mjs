// Connects without a key: `node connecting.mjs v1|v2|v2-auto URL CALLBACK` prints {authorize}, the address at which somebody
// has to approve, reads what the callback was told, and prints the folder that it then makes.
import * as v2 from '@modelcontextprotocol/client';
import * as v1 from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createInterface } from 'node:readline';

const [which, url, callback] = process.argv.slice(2);
const options = which === 'v2-auto' ? { versionNegotiation: { mode: 'auto' } } : {};
const [sdk, Transport] = which === 'v1' ? [v1, StreamableHTTPClientTransport] : [v2, v2.StreamableHTTPClientTransport];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const kept = {};
const authProvider = {
  redirectUrl: callback,
  clientMetadata: { client_name: `TypeScript ${which}`, redirect_uris: [callback], scope: 'drive' },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  state: () => 'of the client',
  redirectToAuthorization: (address) => console.log(JSON.stringify({ authorize: address.href })),
};

const connect = async () => {
  const client = new sdk.Client({ name: 'codrive-tests', version: '1' }, options);
  const transport = new Transport(new URL(url), { authProvider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (kept.tokens) throw error;
    const told = JSON.parse((await lines.next()).value);
    await transport.finishAuth(which === 'v1' ? told.code : new URLSearchParams(told));
    return connect();
  }
};

const client = await connect();
const drives = await client.callTool({ name: 'drives_list', arguments: {} });
const made = await client.callTool({
  name: 'drives_create_item',
  arguments: { driveId: drives.structuredContent.drives[0].id, name: 'By an application', driveItemType: 'folder' },
});
console.log(JSON.stringify(made.structuredContent));
await client.close();
process.exit(0);
