import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { publicDocument } from "@/server/http/rest/public-document";
import { publicRoute } from "@/server/http/rest/public-route";
import { didMaxAgeSeconds } from "@/server/issuers/did";
import { issuerProfile } from "@/server/issuers/profile";

export const GET = publicRoute(
  async ({ request, params }) =>
    publicDocument(request, {
      body: JSON.stringify(await issuerProfile(params["slug"]!)),
      type: "application/json",
      maxAgeSeconds: didMaxAgeSeconds,
    }),
  { headers: openToAllOrigins },
);

export const OPTIONS = preflight("GET");
