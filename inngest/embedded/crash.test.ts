import { afterAll, expect, test } from "vitest";
import { closeDb } from "@/server/core/db";
import { runChild } from "@/server/testing/child";
import { TestApp } from "../testing/app";

afterAll(closeDb);

const worker = new URL("../testing/worker.ts", import.meta.url).pathname;

test("when one of two processes is killed, the other completes all of its runs from their last completed step", {
  timeout: 90_000,
}, async () => {
  const app = new TestApp();
  const victim = await runChild(worker, [app.id, "victim"]);
  const survivor = await runChild(worker, [app.id, "survivor"]);
  try {
    expect([await victim.line(), await survivor.line()]).toEqual(["started", "started"]);
    // This engine only queues runs and notifies the other processes (width 0); they run the function.
    await app.start(
      [app.client.createFunction({ id: "work", retries: 0, triggers: [{ event: "test/work" }] }, () => "here")],
      { width: 0 },
    );
    await app.client.send(Array.from({ length: 300 }, (_, n) => ({ name: "test/work", data: { n } })));
    for (let hanging = 0; hanging < 5; hanging++) expect(await victim.line()).toBe("hanging");
    await victim.kill();
    const runs = await app.ended(300, 60_000);
    expect(runs).toHaveLength(300);
    expect(runs.filter((run) => run.state !== "succeeded")).toEqual([]);
    const outputs = runs.filter((run) => run.lapses > 0).map((run) => JSON.stringify(run.output));
    expect(
      outputs.filter((output) => output === '{"first":"victim","second":"survivor"}').length,
    ).toBeGreaterThanOrEqual(5);
  } finally {
    await app.stop();
    await survivor.kill();
  }
});
