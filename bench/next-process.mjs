// The application, API included, served by Next alone. The process ends with the one that started it.
import { createServer } from "node:http";
import next from "next";

const port = Number(process.env.PORT);
const app = next({ dir: process.cwd(), hostname: "127.0.0.1", port });
await app.prepare();
createServer(app.getRequestHandler()).listen(port, "127.0.0.1");
if (process.connected) process.once("disconnect", () => process.exit());
else process.exit();
