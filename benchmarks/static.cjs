// The reference: nothing but Node's own server and a kilobyte of JSON that is always the same.
const body = JSON.stringify({ text: "x".repeat(1024 - 11) });
const headers = { "content-type": "application/json", "content-length": body.length };
const server = require("node:http").createServer((_, response) => response.writeHead(200, headers).end(body));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
