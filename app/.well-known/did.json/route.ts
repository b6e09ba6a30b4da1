import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { publicDocument } from "@/server/http/rest/public-document";
import { publicRoute } from "@/server/http/rest/public-route";
import { didMaxAgeSeconds } from "@/server/issuers/did";
import { hostDidDocument } from "@/server/issuers/did-document";

/** The DID document of the organisation that signs under the request's host (did:web, section 3.2). */
export const GET = publicRoute(
  async ({ request }) =>
    publicDocument(request, {
      body: JSON.stringify(
        await hostDidDocument(
          request.headers.get("host") ?? "",
          new URL(request.url).searchParams.get("challenge") ?? undefined,
        ),
      ),
      type: "application/did+ld+json",
      maxAgeSeconds: didMaxAgeSeconds,
      vary: "Host",
    }),
  { headers: openToAllOrigins, query: "any" },
);

export const OPTIONS = preflight("GET");
