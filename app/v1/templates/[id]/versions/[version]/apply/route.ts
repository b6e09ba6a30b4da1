import { applyTemplateVersion } from "@/server/credentials/apply-version";
import { bulkJobSchema } from "@/server/credentials/bulk-job";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: applyTemplateVersion,
  summary: "Show a version on live credentials",
  description:
    "The version's design, and what it makes public, are shown by the active, suspended and pending credentials of the template, which keep their data and expiry. expectedCount must be their number; with another, 409 with the present one, and nothing happens. Academic credentials keep the version that they were issued from: 409.",
  response: bulkJobSchema,
  statuses: [202],
  location: (job) => `/v1/bulk/${job.id}`,
  example: { request: { expectedCount: 412 } },
});
