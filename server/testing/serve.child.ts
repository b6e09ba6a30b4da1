import { once } from "node:events";
import { createServer } from "node:http";
import { closeDb } from "@/server/core/db";
import { drainable } from "@/server/http/web/drain";
import { apiListener } from "@/server/http/web/listener";

// Serves the API on a free port, which it prints. SIGTERM stops it as server/serve.ts stops. No built pages are needed.
const server = createServer({ keepAliveTimeout: 65_000 });
const drain = drainable(server);
const api = apiListener();
server.on("request", (request, response) => {
  if (request.url !== "/stream") return void api(request, response);
  response.write("begun\n");
  process.once("SIGUSR2", () => response.end("x".repeat(20_000_000)));
});
process.once("SIGTERM", async () => {
  console.log("stopping");
  await drain.stop({ delayMs: Number(process.argv[2] ?? 0), graceMs: 20_000 });
  await closeDb();
  console.log("stopped");
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
console.log(String((server.address() as { port: number }).port));
