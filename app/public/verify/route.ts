import { parseInput } from "@/server/core/input";
import { openToAllOrigins, preflight } from "@/server/http/cors";
import { publicRoute, type PublicAnswer, type PublicRequest } from "@/server/http/public-route";
import { readJson } from "@/server/http/read-body";
import { readQuery } from "@/server/http/read-url";
import { alwaysRevalidated, verificationAnswer } from "@/server/http/verification-answer";
import { verifyInput } from "@/server/verification/verify";
import { verifyCode } from "@/server/verification/verify-code";
import { viewerOf } from "@/server/verification/viewer";

const headers = { ...openToAllOrigins, ...alwaysRevalidated };
const bodyLimit = 16 * 1024;

export const GET = publicRoute((asked) => answer(asked, readQuery(asked.request.url)), { headers, query: Object.keys(verifyInput.shape) });

export const POST = publicRoute(async (asked) => answer(asked, await readJson(asked.request, bodyLimit)), { headers });

export const OPTIONS = preflight("GET", "POST");

async function answer({ request, address, now }: PublicRequest, sent: Record<string, unknown>): Promise<PublicAnswer> {
  const { code } = parseInput(verifyInput, sent);
  const viewer = viewerOf(address, request.headers.get("user-agent"));
  return verificationAnswer(request, await verifyCode(code, { via: "public", viewer, now }));
}
