import { z } from "zod";
import { bulkCredentials, bulkResultSchema } from "@/server/credentials/bulk";
import { bulkRowInput, scopeOfAction } from "@/server/credentials/bulk-actions";
import { bulkJobSchema } from "@/server/credentials/bulk-job";
import { bulkValues } from "@/server/http/rest/bounded-values";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: bulkCredentials,
  summary: "Issue, suspend, resume, revoke or change many credentials",
  description:
    "One bad row never harms another. Up to 500 rows: 200 with one result a row. More, or with Prefer: respond-async: 202 with a bulk job. Needs the scope of its action: credentials:issue for issue and update, credentials:suspend for suspend and resume, credentials:revoke for revoke.",
  scopeSets: [...new Set(Object.values(scopeOfAction))].map((scope) => [scope]),
  response: z.union([bulkResultSchema, bulkJobSchema]),
  responses: { 200: bulkResultSchema, 202: bulkJobSchema },
  statuses: [200, 202],
  respond: (done) => (done.job ? { status: 202, body: done.job } : { status: 200, body: done.result }),
  location: ({ job }) => `/v1/bulk/${job!.id}`,
  bodyLimit: 10 * 1024 * 1024,
  valueLimit: bulkValues,
  rows: "items",
  row: bulkRowInput,
  fromHeaders: (headers) =>
    /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(headers.get("prefer") ?? "") ? { respondAsync: true } : {},
  example: {
    request: { action: "revoke", items: [{ id: "crd_01kfa0v3s1e8r9k2n4m6p8q0t2", reason: "Left the university" }] },
  },
});
