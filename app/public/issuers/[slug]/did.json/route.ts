import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { publicDocument } from "@/server/http/rest/public-document";
import { publicRoute } from "@/server/http/rest/public-route";
import { issuerDidDocument } from "@/server/issuers/did-document";

/** Short, so that verifiers know a new key soon after a rotation. */
const maxAgeSeconds = 60;

export const GET = publicRoute(
  async ({ request, params }) =>
    publicDocument(request, {
      body: JSON.stringify(await issuerDidDocument(params["slug"]!)),
      type: "application/did+ld+json",
      maxAgeSeconds,
    }),
  { headers: openToAllOrigins, query: "any" },
);

export const OPTIONS = preflight("GET");
