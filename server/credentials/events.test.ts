import { expect, it } from "vitest";
import { catalogue, type EventType } from "@/server/events/catalogue";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { world } from "@/server/testing/world";
import { issueCredential } from "./issue";
import { suspendCredential } from "./suspend";
import { updateCredential } from "./update";

it("stores events as the catalogue defines them, without data, attributes or notes", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, {
    kind: "academic",
    design: { front: { fields: [{ key: "a", binding: "attributes.private" }] } },
  });
  const subject = { externalId: "s", attributes: { private: "private-attribute" } };
  const { credential: first } = await issueCredential(w.ctx, {
    subject,
    templateId: template.id,
    data: { x: "private-data" },
  });
  await updateCredential(w.ctx, { id: first.id, data: { y: "private-data" } });
  await suspendCredential(w.ctx, { id: first.id, reason: "public-reason", note: "private-note" });
  const events = await eventsOf(w.orgId);
  expect(JSON.stringify(events)).not.toContain("private-");
  for (const event of events)
    expect(catalogue[event.type as EventType].object.parse(event.data.object)).toEqual(event.data.object);
  expect(events.at(-1)).toMatchObject({
    data: {
      object: {
        object: "credential",
        id: first.id,
        code: first.code,
        externalId: "s",
        state: "suspended",
        suspensionReason: "public-reason",
      },
      previous: { state: "active" },
    },
  });
});
