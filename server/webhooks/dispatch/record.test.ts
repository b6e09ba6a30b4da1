import { beforeAll, expect, it } from "vitest";
import { newId, readId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { attemptDelivery } from "./attempt";
import { claimDeliveries } from "./claim";
import { recordAttempts } from "./record";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();

it("records an attempt although another statement writes to its delivery at the same time", async () => {
  const s = stage();
  const { id: endpointId } = await s.endpoint();
  await s.happen(2);
  const claimed = await claimDeliveries(
    [{ orgId: s.world.orgId, endpointId: readId("whe", endpointId), slots: 2, after: null }],
    s.now,
    newId("req"),
  );
  const attempts = await Promise.all(claimed.map((delivery) => attemptDelivery(delivery, () => s.now)));
  let recorded: Promise<void> | undefined;
  await transaction(async (tx) => {
    // Extending a lease does the same.
    await tx.sql(`UPDATE webhook_deliveries SET lease_until = lease_until + interval '1 minute' WHERE id = $1`, [
      claimed[0]!.id,
    ]);
    recorded = recordAttempts(attempts);
    await untilWaitingForLock(1, "webhook_deliveries");
  });
  await recorded;
  expect((await s.deliveries(endpointId)).map((delivery) => [delivery.status, delivery.attemptCount])).toEqual([
    ["succeeded", 1],
    ["succeeded", 1],
  ]);
});

it("changes nothing about a delivery whose claim was lost, and returns", async () => {
  const s = stage();
  const { id: endpointId } = await s.endpoint();
  await s.happen();
  const [claimed] = await claimDeliveries(
    [{ orgId: s.world.orgId, endpointId: readId("whe", endpointId), slots: 1, after: null }],
    s.now,
    newId("req"),
  );
  const attempt = await attemptDelivery(claimed!, () => s.now);
  await recordAttempts([{ ...attempt, delivery: { ...claimed!, claimId: newId("req") } }]);
  expect((await s.deliveries(endpointId)).map((delivery) => delivery.status)).toEqual(["pending"]);
});
