import { pageOf } from "@/server/core/pagination";
import { addGroupMembers, membersAddedSchema } from "@/server/groups/add-members";
import { groupMemberSchema, listGroupMembers } from "@/server/groups/list-members";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listGroupMembers,
  summary: "List a group's members",
  description: "Names people, so it takes the scope subjects:read too.",
  response: pageOf(groupMemberSchema),
});

export const POST = route({
  operation: addGroupMembers,
  summary: "Add members to a static group",
  description:
    "Up to 10,000 people by id or externalId. Who is a member already stays one. A name that stands for nobody is told in errors and harms no other.",
  response: membersAddedSchema,
  bodyLimit: 10 * 1024 * 1024,
  // Room for 10,000 people. The body may hold twice as many, so that the refusal can name the place and the limit.
  valueLimit: 20_000,
  example: { request: { externalIds: ["s-1001", "s-1002"] } },
});
