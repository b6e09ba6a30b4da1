import { newPublicId } from "@/server/core/ids";
import { recentReadiness } from "@/server/http/web/readiness";
import { respondJson } from "@/server/http/rest/respond";

/**
 * Answers 200 if this process can answer requests, else 503 with Retry-After. `checks` has the state of each part. A
 * failure of `checks.jobs` alone does not cause 503, because verification works while background work stands still. The
 * answer is at most a second old.
 */
export async function GET(): Promise<Response> {
  const { ready, checks } = await recentReadiness();
  const headers = { "request-id": newPublicId("req"), ...(!ready && { "retry-after": "2" }) };
  return respondJson({ status: ready ? "ready" : "not_ready", checks }, { status: ready ? 200 : 503, headers });
}
