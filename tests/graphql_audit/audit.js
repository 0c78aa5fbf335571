// Runs the audit of GraphQL over HTTP against the URL given, and prints one JSON line for each requirement.
import { serverAudits } from 'graphql-http'

const url = process.argv[2]
for (const audit of serverAudits({ url, fetchFn: fetch })) {
  const { name, status, reason } = await audit.fn()
  console.log(JSON.stringify({ name, status, reason: reason ?? null }))
}
