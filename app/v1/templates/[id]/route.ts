import { route } from "@/server/http/route";
import { getTemplate } from "@/server/templates/get";
import { updateTemplate } from "@/server/templates/update";
import { templateSchema, templateWithVersionSchema } from "@/server/templates/view";

export const GET = route({ operation: getTemplate, summary: "Get a template with its current version", response: templateWithVersionSchema });

export const PATCH = route({
  operation: updateTemplate,
  summary: "Change a template's name, slug or metadata",
  response: templateSchema,
  example: { request: { name: "Student ID 2027" } },
});
