import { DomainError } from "@/server/core/errors";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { negotiated } from "@/server/http/rest/negotiate";
import { publicDocument } from "@/server/http/rest/public-document";
import { publicRoute } from "@/server/http/rest/public-route";
import { statusPurpose } from "@/server/issuers/status/purposes";
import { readStatusList } from "@/server/issuers/status/read-list";
import { listTtlMs, statusListTypes } from "@/server/issuers/status/signed-list";

export const GET = publicRoute(
  async ({ request, params, now }) => {
    const purpose = statusPurpose.safeParse(params["purpose"]);
    if (!purpose.success)
      throw new DomainError("not_found", "There are two lists of each issuer: revocation and suspension.");
    const list = await readStatusList(params["slug"]!, purpose.data, now);
    const type = negotiated(request.headers.get("accept"), statusListTypes);
    return publicDocument(request, {
      body: type === "application/vc+jwt" ? list.jwt : list.document,
      type,
      maxAgeSeconds: listTtlMs / 1000,
      vary: "Accept",
    });
  },
  // Verifiers add parameters to bypass caches.
  { headers: openToAllOrigins, query: "any" },
);

export const OPTIONS = preflight("GET");
