// Connects by OAuth as an application does. Told {url, name} on the first line of standard input, it prints {go: address}
// where its user has to look, {revision} once it is connected, and then answers each line: {name, arguments} calls a
// tool; {forget: true} makes its access token worthless to it, as time would.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const say = (told) => console.log(JSON.stringify(told));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const told = async () => JSON.parse((await lines.next()).value ?? 'null');
const { url, name } = await told();

let arrive;
const listening = createServer((request, response) => {
  const address = new URL(request.url, 'http://127.0.0.1');
  if (address.pathname !== '/callback') return response.writeHead(404).end();
  response.end('You may close this window.');
  arrive(address.searchParams);
}).listen(0, '127.0.0.1');
await once(listening, 'listening');

const kept = { expected: crypto.randomUUID() };
let arrived = new Promise((resolve) => { arrive = resolve; });
const authProvider = {
  redirectUrl: `http://127.0.0.1:${listening.address().port}/callback`,
  get clientMetadata() {
    return { client_name: name, redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  },
  state: () => kept.expected,
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  invalidateCredentials: (what) => {
    if (what === 'tokens' || what === 'all') delete kept.tokens;
    if (what === 'client' || what === 'all') delete kept.client;
  },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  redirectToAuthorization: (address) => say({ go: address.href }),
};

async function connected() {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
  const client = new Client({ name: 'codrive-tests', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  const parameters = await arrived;
  arrived = new Promise((resolve) => { arrive = resolve; });
  if (parameters.get('state') !== kept.expected) throw new Error('this is not what was asked for');
  await transport.finishAuth(parameters);
  return connected();
}

const client = await connected();
say({ tokens: kept.tokens });
for (let asked = await told(); asked; asked = await told()) {
  if (asked.forget) {
    kept.tokens = { ...kept.tokens, access_token: 'cda_0' };
    continue;
  }
  try {
    say({ answer: await client.callTool(asked), tokens: kept.tokens });
  } catch (error) {
    say({ unauthorized: error instanceof UnauthorizedError, message: error.message });
  }
}
await client.close();
listening.close();
