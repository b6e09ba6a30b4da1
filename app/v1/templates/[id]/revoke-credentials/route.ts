import { bulkJobSchema } from "@/server/credentials/bulk-job";
import { revokeTemplateCredentials } from "@/server/credentials/revoke-template";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: revokeTemplateCredentials,
  summary: "Revoke every credential of a template",
  description:
    "expectedCount must be the number of the template's credentials that are not revoked, expired ones included; with another number, 409 with the present one, and nothing happens. The reason is public.",
  response: bulkJobSchema,
  statuses: [202],
  location: (job) => `/v1/bulk/${job.id}`,
  example: { request: { reason: "The card design was counterfeited", expectedCount: 120 } },
});
