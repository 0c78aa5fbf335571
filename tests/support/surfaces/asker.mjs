// Asks what it reads, one JSON line each, with the built client, and prints what came of it.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { Codrive, CodriveError } = await import(pathToFileURL(process.argv[2]));

async function ask({ options, operation, input, call = {}, abortAfter }) {
  const [group, method] = operation.split(".");
  if (abortAfter !== undefined) call.signal = AbortSignal.timeout(abortAfter);
  try {
    const value = await new Codrive(options)[group][method](input, call);
    return { value, empty: value === undefined };
  } catch (error) {
    if (!(error instanceof CodriveError)) return { fault: String(error?.stack ?? error) };
    const { name, code, status, message, requestId } = error;
    return { error: { name, code, status: status ?? null, message, requestId: requestId ?? null } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...asked } = JSON.parse(line);
  ask(asked).then((answer) => console.log(JSON.stringify({ id, ...answer })));
}
