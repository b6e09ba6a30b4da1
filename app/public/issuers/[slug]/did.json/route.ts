import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { publicDocument } from "@/server/http/rest/public-document";
import { publicRoute } from "@/server/http/rest/public-route";
import { didMaxAgeSeconds } from "@/server/issuers/did";
import { issuerDidDocument } from "@/server/issuers/did-document";

export const GET = publicRoute(
  async ({ request, params }) =>
    publicDocument(request, {
      body: JSON.stringify(await issuerDidDocument(params["slug"]!)),
      type: "application/did+ld+json",
      maxAgeSeconds: didMaxAgeSeconds,
    }),
  { headers: openToAllOrigins, query: "any" },
);

export const OPTIONS = preflight("GET");
