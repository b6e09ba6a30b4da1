import { expect, it } from "vitest";
import { publicId, readId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { world } from "@/server/testing/world";
import { loadForChange } from "./load";
import { revokeCredential } from "./revoke";
import { transition } from "./transition";

it("refuses an action that the table of states does not allow, from any caller, and changes none of the set", async () => {
  const { ctx, orgId } = await world();
  const template = await publishedTemplate(ctx);
  const [active, revoked] = [await issued(ctx, template.id), await issued(ctx, template.id)];
  await revokeCredential(ctx, { id: revoked.id, reason: "Left" });
  const before = (await eventsOf(orgId)).length;
  const both = transaction(async (tx) => {
    const rows = [
      await loadForChange({ ...ctx, tx }, readId("crd", active.id)),
      await loadForChange({ ...ctx, tx }, readId("crd", revoked.id)),
    ];
    return transition(
      { ...ctx, tx },
      rows.map((row) => ({ row })),
      "suspend",
    );
  });
  await expect(both).rejects.toMatchObject({
    code: "credential_state",
    extras: { members: { credentialId: revoked.id, state: "revoked", action: "suspend" } },
  });
  expect((await eventsOf(orgId)).length).toBe(before);
});

it("leaves a row unchanged if the action changes nothing, and returns all rows in their order", async () => {
  const { ctx } = await world();
  const template = await publishedTemplate(ctx);
  const [revoked, active] = [await issued(ctx, template.id), await issued(ctx, template.id)];
  await revokeCredential(ctx, { id: revoked.id, reason: "First" });
  const rows = await transaction(async (tx) => {
    const some = [
      await loadForChange({ ...ctx, tx }, readId("crd", revoked.id)),
      await loadForChange({ ...ctx, tx }, readId("crd", active.id)),
    ];
    return transition(
      { ...ctx, tx },
      some.map((row) => ({ row, reason: "Second" })),
      "revoke",
    );
  });
  expect(rows.map((row) => [publicId("crd", row.id), row.revocation_reason])).toEqual([
    [revoked.id, "First"],
    [active.id, "Second"],
  ]);
});
