import { createConnector } from "@/server/connectors/create";
import { listConnectors } from "@/server/connectors/list";
import { connectorSchema } from "@/server/connectors/view";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: listConnectors, summary: "List connectors", response: pageOf(connectorSchema) });

export const POST = route({
  operation: createConnector,
  summary: "Create a connector",
  description:
    "A feed of people: which column of its files gives which field, whether a file lists everybody, and what becomes of those whom it lists no more.",
  response: connectorSchema,
  statuses: [201],
  location: ({ id }) => `/v1/connectors/${id}`,
  example: {
    request: {
      name: "Student registry",
      type: "csv",
      mapping: {
        externalId: "student_id",
        displayName: { transform: "template", template: "{first_name} {last_name}" },
        email: { from: "mail", transform: "lower" },
        status: { from: "state", transform: "trim", values: { enrolled: "active", left: "inactive" } },
        attributes: { department: "dept", birthday: { from: "dob", transform: "date", format: "DD/MM/YYYY" } },
      },
      mode: "full",
      missing: "deactivate",
    },
  },
});
