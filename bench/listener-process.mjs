import { createServer } from "node:http";

// A listener of webhooks in its own process. It accepts at once, but never responds at /hanging and refuses at
// /failing. Ends with the process that started it.
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    if (request.url !== "/hanging") response.writeHead(request.url === "/failing" ? 500 : 204).end();
  });
}).listen(Number(process.env.PORT), process.env.HOST);
process.once("disconnect", () => {
  server.closeAllConnections();
  server.close();
});
