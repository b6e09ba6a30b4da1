import { membersRemovedSchema, removeGroupMembers } from "@/server/groups/remove-members";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: removeGroupMembers,
  summary: "Remove members from a static group",
  description: "Up to 10,000 people by id or externalId. They stay people of the organisation.",
  response: membersRemovedSchema,
  bodyLimit: 10 * 1024 * 1024,
  // Room for 10,000 people. The body may hold twice as many, so that the refusal can name the place and the limit.
  valueLimit: 20_000,
  example: { request: { externalIds: ["s-1002"] } },
});
