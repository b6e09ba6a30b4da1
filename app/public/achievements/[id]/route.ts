import { publicAchievement } from "@/server/badges/public-achievement";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { publicDocument } from "@/server/http/rest/public-document";
import { publicRoute } from "@/server/http/rest/public-route";

/** A published version never changes. */
const maxAgeSeconds = 3600;

export const GET = publicRoute(
  async ({ request, params }) =>
    publicDocument(request, {
      body: JSON.stringify(await publicAchievement(params["id"]!)),
      type: "application/ld+json",
      maxAgeSeconds,
    }),
  { headers: openToAllOrigins },
);

export const OPTIONS = preflight("GET");
