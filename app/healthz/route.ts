import { newId } from "@/server/core/ids";

/** The process answers. Says nothing of what it depends on: see /readyz. */
export async function GET(): Promise<Response> {
  return Response.json({ status: "ok", uptimeSeconds: Math.floor(process.uptime()) }, { headers: { "cache-control": "no-store", "request-id": newId("req") } });
}
