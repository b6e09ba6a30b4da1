import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setEngineStatus } from "@/server/core/engine-status";
import { apiListener } from "@/server/http/web/listener";
import { startJobThread } from "@/server/job-thread/start";

// A server process for the fault tests: server/serve.ts without its pages. Prints its origin.
const server = createServer(apiListener()).listen(0, "127.0.0.1");
await once(server, "listening");
const engine = await startJobThread();
setEngineStatus(() => engine.status());
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
