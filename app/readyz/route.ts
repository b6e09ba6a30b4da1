import { newId } from "@/server/core/ids";
import { checkReadiness } from "@/server/http/readiness";
import { respondJson } from "@/server/http/respond";

/** Whether this process can serve: database, migrations, job engine, with each. 503 where one is not ready. */
export async function GET(): Promise<Response> {
  const { ready, checks } = await checkReadiness();
  return respondJson({ status: ready ? "ready" : "not_ready", checks }, { status: ready ? 200 : 503, headers: { "request-id": newId("req") } });
}
