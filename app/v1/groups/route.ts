import { pageOf } from "@/server/core/pagination";
import { createGroup } from "@/server/groups/create";
import { listGroups } from "@/server/groups/list";
import { groupSchema } from "@/server/groups/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: listGroups, summary: "List groups", response: pageOf(groupSchema) });

export const POST = route({
  operation: createGroup,
  summary: "Create a group",
  description:
    "A static group has the members that you add. A rule group has the people who match its rule: it is evaluated at once, in an organisation of more than 20,000 people within a minute, and again every five minutes. A rule takes the scope subjects:read too, since it asks for people's attributes.",
  scopeSets: [["groups:write"], ["groups:write", "subjects:read"]],
  response: groupSchema,
  statuses: [201],
  example: {
    request: {
      name: "Mathematics, second year and above",
      rule: {
        all: [
          { field: "status", op: "eq", value: "active" },
          { field: "attributes.programme", op: "eq", value: "Mathematics" },
          { field: "attributes.year", op: "gte", value: 2 },
        ],
      },
    },
  },
});
