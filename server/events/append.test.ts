import { expect, it } from "vitest";
import { newId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { sequenceBatch } from "@/server/consumers";
import { logOf } from "@/server/testing/events";
import { world } from "@/server/testing/world";
import { appendAll } from "./append";
import { sampleEvent } from "./samples";

it("stores a set of several statements in its order, each event with its own body", async () => {
  const w = await world();
  const sample = sampleEvent("subject.deleted", w.orgId, w.ctx.now).data.object;
  const events = Array.from({ length: 600 }, (_, n) => ({
    type: "subject.deleted" as const,
    resourceId: newId("sub"),
    object: { ...sample, displayName: `"Ada", {${n}} \\n` } as never,
  }));
  await transaction((tx) => appendAll({ ...w.ctx, tx }, events));
  while ((await sequenceBatch(1000)).events > 0);
  const log = await logOf(w.orgId);
  expect(log.map(({ resource }) => resource)).toEqual(events.map(({ resourceId }) => resourceId));
  expect(
    log.map(({ body }) => (JSON.parse(body) as { data: { object: { displayName: string } } }).data.object.displayName),
  ).toEqual(events.map((_, n) => `"Ada", {${n}} \\n`));
});
