import { createServer } from "node:http";
import { closeDb } from "@/server/core/db";
import { closeOutbound } from "@/server/outbound/request";
import { Dispatcher } from "@/server/webhooks/dispatch/dispatcher";
import type { Memory } from "./memory";

// A dispatcher in its own process (node --expose-gc). Each POST sends what is due and is answered with the memory that
// the process uses afterwards.
const dispatcher = new Dispatcher();

createServer(async (request, response) => {
  if (request.method !== "POST") return response.end();
  dispatcher.wake();
  await dispatcher.settled();
  globalThis.gc!();
  const { heapUsed, rss } = process.memoryUsage();
  response.setHeader("content-type", "application/json").end(JSON.stringify({ heapUsed, rss } satisfies Memory));
}).listen(Number(process.env["PORT"]), process.env["HOST"]);

process.once("disconnect", async () => {
  await dispatcher.stop({ graceMs: 0 });
  await closeOutbound();
  await closeDb();
  process.exit();
});
