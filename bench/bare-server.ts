import { createServer } from "node:http";
import { findByCode } from "@/server/verification/find-by-code";

// The minimum cost of a verification: node:http, the one query that it needs, and its row as JSON.
createServer(async (request, response) => {
  if (request.url === "/healthz") return response.end();
  const code = request.url!.slice(request.url!.lastIndexOf("/") + 1).replaceAll("-", "");
  const row = await findByCode(code, new Date());
  response.setHeader("content-type", "application/json").end(JSON.stringify(row));
}).listen(Number(process.env["PORT"]), "127.0.0.1");
process.once("disconnect", () => process.exit());
