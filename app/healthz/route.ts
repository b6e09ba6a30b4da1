import { newPublicId } from "@/server/core/ids";
import { respondJson } from "@/server/http/rest/respond";

/** The process answers. Says nothing of what it depends on: see /readyz. */
export async function GET(): Promise<Response> {
  return respondJson(
    { status: "ok", uptimeSeconds: Math.floor(process.uptime()) },
    { headers: { "request-id": newPublicId("req") } },
  );
}
