import { deleteGroup } from "@/server/groups/delete";
import { getGroup } from "@/server/groups/get";
import { updateGroup } from "@/server/groups/update";
import { groupSchema } from "@/server/groups/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getGroup, summary: "Get a group", response: groupSchema });

export const PATCH = route({
  operation: updateGroup,
  summary: "Change a group",
  description: "A new rule is evaluated as the first one was, and takes the scope subjects:read too.",
  scopeSets: [["groups:write"], ["groups:write", "subjects:read"]],
  response: groupSchema,
  example: { request: { name: "Mathematics 2026/27" } },
});

export const DELETE = route({
  operation: deleteGroup,
  summary: "Delete a group",
  description:
    "Its members stay people of the organisation. 409 group_in_use while a policy or the rule of another group names it.",
  response: null,
});
