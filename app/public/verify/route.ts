import { addressBlock } from "@/server/core/address-block";
import { parseInput } from "@/server/core/input";
import { languageNamed, pageLanguageHeader } from "@/server/core/languages";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import type { Reply } from "@/server/http/rest/endpoint";
import { publicRoute, type PublicRequest } from "@/server/http/rest/public-route";
import { readJson } from "@/server/http/rest/read-body";
import { acceptedBodies, comesAsJson, readFileBody } from "@/server/http/rest/read-file";
import { readQuery } from "@/server/http/rest/read-url";
import { alwaysRevalidated, verificationAnswer } from "@/server/http/rest/verification-answer";
import { verificationFile } from "@/server/http/rest/verification-file";
import { credentialOrInput, maxVerifyValues, verifyInput, verifyQuery } from "@/server/verification/verify";
import { verifyCode, type VerificationContext } from "@/server/verification/verify-code";
import { verifyDocument } from "@/server/verification/verify-document";
import { verifyFile } from "@/server/verification/verify-file";
import { viewerOf } from "@/server/verification/viewer";

const headers = { ...openToAllOrigins, ...alwaysRevalidated };
const limits = { bytes: 1024 * 1024, values: maxVerifyValues, asked: acceptedBodies(verificationFile) };

export const GET = publicRoute(
  (asked) => {
    const { code, token } = parseInput(verifyQuery, readQuery(asked.request.url));
    return answer(asked, code, token);
  },
  { headers, query: Object.keys(verifyQuery.shape) },
);

export const POST = publicRoute(
  async (asked) => {
    if (!asked.request.headers.get("content-type") || comesAsJson(asked.request, verificationFile)) {
      const { code, credential } = parseInput(verifyInput, credentialOrInput(await readJson(asked.request, limits)));
      return answer(asked, code, credential);
    }
    const file = await readFileBody(asked.request, verificationFile);
    try {
      return verificationAnswer(asked.request, await verifyFile(file, callerOf(asked)));
    } finally {
      await file.discard();
    }
  },
  { headers },
);

export const OPTIONS = preflight("GET", "POST");

const callerOf = (asked: PublicRequest) => ({
  caller: addressBlock(asked.address),
  isAnonymous: true,
  requestId: asked.requestId,
  context: contextOf(asked),
});

const contextOf = ({ request, address, now }: PublicRequest): VerificationContext => ({
  via: "public",
  viewer: viewerOf(address, request.headers.get("user-agent")),
  now,
  language: languageNamed(request.headers.get(pageLanguageHeader)),
});

async function answer(
  asked: PublicRequest,
  code: string | undefined,
  document: Parameters<typeof verifyDocument>[0] | undefined,
): Promise<Reply> {
  const { request } = asked;
  if (document !== undefined) return verificationAnswer(request, await verifyDocument(document, callerOf(asked)));
  return verificationAnswer(request, await verifyCode(code!, contextOf(asked)));
}
