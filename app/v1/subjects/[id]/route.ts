import { route } from "@/server/http/rest/route";
import { deleteSubject } from "@/server/subjects/delete";
import { getSubject, subjectWithCountsSchema } from "@/server/subjects/get";
import { updateSubject } from "@/server/subjects/update";
import { subjectSchema } from "@/server/subjects/view";

export const GET = route({ operation: getSubject, summary: "Get a subject", response: subjectWithCountsSchema });

export const PATCH = route({
  operation: updateSubject,
  summary: "Change a subject",
  response: subjectSchema,
  example: { request: { status: "inactive" } },
});

export const DELETE = route({
  operation: deleteSubject,
  summary: "Delete a subject that never held a credential",
  response: null,
});
