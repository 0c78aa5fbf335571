// Calls tools one after the other: `node session.mjs v1|v2 URL KEY` with a key, or `node session.mjs v1|v2 URL "" CALLBACK
// NAME` by OAuth under that name, when it prints {authorize}, the address at which somebody has to approve, and reads what the
// callback was told. Then it answers each line {name, arguments} with the result of that tool.
import * as v2 from '@modelcontextprotocol/client';
import * as v1 from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createInterface } from 'node:readline';

const [which, url, key, callback, name] = process.argv.slice(2);
const [sdk, Transport] = which === 'v1' ? [v1, StreamableHTTPClientTransport] : [v2, v2.StreamableHTTPClientTransport];
const options = which === 'v1' ? {} : { versionNegotiation: { mode: 'auto' } };
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (told) => console.log(JSON.stringify(told));

const kept = {};
const authProvider = {
  redirectUrl: callback,
  clientMetadata: { client_name: name, redirect_uris: [callback], scope: 'drive' },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  state: () => 'of the client',
  redirectToAuthorization: (address) => say({ authorize: address.href }),
};

const connect = async () => {
  const client = new sdk.Client({ name: 'codrive-tests', version: '1' }, options);
  const given = key ? { requestInit: { headers: { 'x-api-key': key } } } : { authProvider };
  const transport = new Transport(new URL(url), given);
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (key || kept.tokens) throw error;
    const told = JSON.parse((await lines.next()).value);
    await transport.finishAuth(which === 'v1' ? told.code : new URLSearchParams(told));
    return connect();
  }
};

const client = await connect();
for (let line = await lines.next(); !line.done; line = await lines.next()) say(await client.callTool(JSON.parse(line.value)));
await client.close();
process.exit(0);
