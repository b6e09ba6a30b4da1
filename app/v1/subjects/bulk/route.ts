import { bulkValues } from "@/server/http/rest/bounded-values";
import { route } from "@/server/http/rest/route";
import { upsertInput } from "@/server/subjects/input";
import { bulkUpsertSubjects, subjectBulkResultSchema } from "@/server/subjects/bulk";

export const POST = route({
  operation: bulkUpsertSubjects,
  summary: "Create or update up to 1,000 subjects",
  description:
    "Each row as the body of PUT /v1/subjects; one bad row never harms another. Rows with the same externalId are applied in their order.",
  response: subjectBulkResultSchema,
  bodyLimit: 10 * 1024 * 1024,
  valueLimit: bulkValues,
  rows: "items",
  row: upsertInput.meta({ id: "SubjectUpsert" }),
  example: {
    request: {
      items: [
        { externalId: "s-1001", displayName: "Ada Lovelace" },
        { externalId: "s-1002", status: "inactive" },
      ],
    },
  },
});
