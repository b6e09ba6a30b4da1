import { expect, it } from "vitest";
import { createGroup } from "@/server/groups/create";
import { createPolicy } from "@/server/policies/create";
import { createTemplate } from "@/server/templates/create";
import { world } from "@/server/testing/world";
import { listReadAttributes } from "./read-attributes";

it("lists the attributes that the organisation's cards and rules read", async () => {
  const { ctx } = await world();
  const { ctx: other } = await world();
  const field = (binding: string) => ({ key: binding.split(".")[1]!, label: "x", binding });
  const template = await createTemplate(ctx, {
    name: "Student card",
    kind: "student_id",
    design: { front: { fields: [field("attributes.year"), field("attributes.address.city"), field("subject.email")] } },
    validity: { type: "attribute", attribute: "enrolledUntil" },
    publish: true,
  });
  await createGroup(ctx, {
    name: "Physicists",
    rule: {
      any: [
        { field: "attributes.dept", op: "eq", value: "Physics" },
        { not: { all: [{ field: "attributes.year", op: "gte", value: 3 }] } },
        { field: "status", op: "eq", value: "active" },
      ],
    },
  });
  await createPolicy(ctx, {
    name: "Everybody in class",
    templateId: template.id,
    rule: { all: [{ field: "attributes.class", op: "exists", value: true }] },
  });
  const card = { readBy: "template", of: "Student card" };
  const rule = { readBy: "group", of: "Physicists" };
  expect((await listReadAttributes(ctx, {})).data).toEqual([
    { name: "address", ...card },
    { name: "class", readBy: "policy", of: "Everybody in class" },
    { name: "dept", ...rule },
    { name: "enrolledUntil", ...card },
    { name: "year", ...rule },
    { name: "year", ...card },
  ]);
  expect((await listReadAttributes(other, {})).data).toEqual([]);
});
