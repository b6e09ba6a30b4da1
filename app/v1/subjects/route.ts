import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { listSubjects } from "@/server/subjects/list";
import { upsertSubject } from "@/server/subjects/upsert";
import { subjectSchema } from "@/server/subjects/view";

export const GET = route({ operation: listSubjects, summary: "List subjects", response: pageOf(subjectSchema) });

export const PUT = route({
  operation: upsertSubject,
  summary: "Create or update a subject",
  description:
    "Idempotent on externalId: the same payload sent twice yields the same subject, and the second time writes nothing. With ifExists fail it creates or refuses.",
  response: subjectSchema,
  statuses: [200, 201],
  respond: ({ subject, created }) => ({ status: created ? 201 : 200, body: subject }),
  example: {
    request: {
      externalId: "s-1001",
      displayName: "Ada Lovelace",
      email: "ada@example.edu",
      attributes: { programme: "Mathematics" },
    },
  },
});
