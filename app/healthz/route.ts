import { newPublicId } from "@/server/core/ids";
import { respondJson } from "@/server/http/rest/respond";

/** Says that the process answers. Dependencies are checked by /readyz. */
export async function GET(): Promise<Response> {
  return respondJson(
    { status: "ok", uptimeSeconds: Math.floor(process.uptime()) },
    { headers: { "request-id": newPublicId("req") } },
  );
}
