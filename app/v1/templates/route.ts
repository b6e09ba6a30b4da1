import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { createTemplate } from "@/server/templates/create";
import { listTemplates } from "@/server/templates/list";
import { templateSchema, templateWithVersionSchema } from "@/server/templates/view";

export const GET = route({ operation: listTemplates, summary: "List templates", response: pageOf(templateSchema) });

export const POST = route({
  operation: createTemplate,
  summary: "Create a template",
  description: "Makes the template and its version 1: a draft, or published at once with publish.",
  response: templateWithVersionSchema,
  statuses: [201],
  example: {
    request: {
      name: "Student ID",
      kind: "student_id",
      design: {
        colors: { background: "#0b3d91", foreground: "#ffffff" },
        front: {
          fields: [
            { key: "name", label: { en: "Name", de: "Name" }, binding: "subject.displayName" },
            { key: "programme", label: { en: "Programme", de: "Studiengang" }, binding: "attributes.programme" },
            {
              key: "until",
              label: { en: "Valid through", de: "Gültig bis" },
              binding: "credential.expiresAt",
              format: "date",
            },
          ],
        },
        publicFields: ["name", "programme"],
      },
      validity: { type: "duration", amount: 1, unit: "years" },
      publish: true,
    },
  },
});
