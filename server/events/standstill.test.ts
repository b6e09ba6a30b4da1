import { beforeAll, expect, it } from "vitest";
import { runChild } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { upsertSubject } from "@/server/subjects/upsert";
import { sequenceBatch } from "@/server/consumers";

beforeAll(ownDatabase);

it("a suspended process does not keep another from numbering", async () => {
  const w = await world();
  const child = await runChild("server/events/testing/sequencing.child.ts");
  try {
    await child.line();
    for (let round = 0; round < 20; round++) {
      child.process.kill("SIGCONT");
      await upsertSubject(w.ctx, { externalId: `s-${round}` });
      child.process.kill("SIGSTOP");
      await upsertSubject(w.ctx, { externalId: `t-${round}` });
      // If it kept the lock, this would wait for a minute, until the database ended the other process's transaction.
      while ((await sequenceBatch()).more);
    }
    expect((await sequenceBatch()).events).toBe(0);
  } finally {
    await child.kill();
  }
}, 20_000);
