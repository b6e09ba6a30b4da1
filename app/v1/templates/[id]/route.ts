import { route } from "@/server/http/rest/route";
import { deleteTemplate } from "@/server/templates/delete";
import { getTemplate } from "@/server/templates/get";
import { updateTemplate } from "@/server/templates/update";
import { templateSchema, templateWithVersionSchema } from "@/server/templates/view";

export const GET = route({
  operation: getTemplate,
  summary: "Get a template with its current version",
  response: templateWithVersionSchema,
});

export const PATCH = route({
  operation: updateTemplate,
  summary: "Change a template's name, slug or metadata",
  response: templateSchema,
  example: { request: { name: "Student ID 2027" } },
});

export const DELETE = route({
  operation: deleteTemplate,
  summary: "Delete a template that was never published",
  description: "Its drafts go with it. 409 template_in_use once a version was published; archive that instead.",
  response: null,
});
