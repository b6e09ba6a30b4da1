import { groupPreviewSchema, previewGroup } from "@/server/groups/preview";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: previewGroup,
  summary: "Count the people who match a rule",
  description: "Checks a rule as creating a group would, and counts the people who match it now. Nothing is written.",
  response: groupPreviewSchema,
  example: { request: { rule: { field: "attributes.programme", op: "eq", value: "Mathematics" } } },
});
