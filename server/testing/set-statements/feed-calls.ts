import { expect } from "vitest";
import { newPublicId } from "@/server/core/ids";
import { undoConnectorRun } from "@/server/connectors/undo-run";
import { approveConnectorRun } from "@/server/connectors/approve-run";
import { createConnector } from "@/server/connectors/create";
import { getConnectorRun } from "@/server/connectors/get-run";
import { listConnectorAlerts } from "@/server/connectors/list-alerts";
import { previewConnector } from "@/server/connectors/preview";
import { listConnectorRemovals } from "@/server/connectors/list-run-removals";
import { runConnectorStep } from "@/server/connectors/run/step";
import { uploaded } from "@/server/connectors/testing/runs";
import { updateConnector } from "@/server/connectors/update";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { type Given, type Call } from "./given";

/**
 * Runs of connectors: with new people, with invalid and inactive ones, with a file that lacks people, and an
 * approval.
 */
export function feedCalls(given: Given): Call[] {
  const { ctx, n } = given;
  // Separate people, so that no run ends a person whom another connector provides.
  const tag = newPublicId("req");
  const text = (from: number, to: number, status = "active") =>
    Array.from({ length: to - from }, (_, i) => `${tag}-${from + i},x,${status}\n`).join("");
  const header = "id,name,status\n";
  const inClass = (name: string, to = n) =>
    Array.from({ length: to }, (_, i) => `${tag}-class-${i},${name},active\n`).join("");
  let id = "";
  let classes = "";
  let regrouped = "";
  let held = "";
  const run = async (body: string, connector = id) => {
    const { id: queued } = await uploaded(ctx, connector, header + body);
    while (await runConnectorStep(new Date()));
    return queued;
  };
  const takeBack = async (queued: string, connector = id) => {
    await undoConnectorRun(ctx, { id: connector, run: queued });
    while (await runConnectorStep(new Date()));
  };
  const change = (body: object) => updateConnector(ctx, { id, ...body });
  return [
    {
      name: "a file of new people",
      run: async () => {
        ({ id } = await createConnector(ctx, {
          name: "Feed",
          type: "csv",
          mapping: { externalId: "id", displayName: "name", status: "status" },
          missing: "deactivate",
          limits: { deactivations: 1_000_000 },
        }));
        await run(text(0, n));
      },
    },
    {
      name: "a file of people who are inactive or twice in it",
      run: () => run(text(0, n / 2) + text(n / 2, n, "inactive") + text(0, 1)),
    },
    { name: "what a list of connectors tells of one", run: () => listConnectorAlerts(ctx, { connectorIds: [id] }) },
    { name: "a file that misses people", run: () => run(text(0, Math.ceil(n / 4))) },
    {
      name: "a file that has lost its names",
      run: () => run(text(0, n).replaceAll(",x,", ",,")),
    },
    {
      name: "a preview of a file that changes people and misses others",
      run: async () => {
        await run(text(0, n));
        const content = header + text(0, n / 2).replaceAll(",x,", ",y,") + text(2 * n, 2 * n + 5);
        const { counts } = await previewConnector(ctx, { connectorId: id, content });
        expect(counts).toMatchObject({ updated: n / 2, created: 5, deactivated: n / 2 });
      },
    },
    {
      name: "a run of changes that is taken back",
      run: async () => takeBack(await run(text(0, n).replaceAll(",x,", ",z,"))),
    },
    {
      name: "a run that misses people, and is taken back",
      run: async () => takeBack(await run(text(0, Math.ceil(n / 4)))),
    },
    {
      name: "a run of new people who are deleted again",
      run: async () => {
        await change({ mode: "delta" });
        await takeBack(await run(text(2 * n, 3 * n)));
        await change({ mode: "full" });
      },
    },
    {
      name: "a run of another connector that adopts people and rejects some, and is taken back",
      // The people are written twice, and the undo looks each of them up in each run of the last seven days.
      given: 2 * n,
      run: async () => {
        const { id: other } = await createConnector(ctx, {
          name: "Adopts",
          type: "csv",
          mapping: { externalId: "id", displayName: "name", status: "status" },
          adopt: "externalId",
        });
        const known = Array.from({ length: n }, (_, i) => `${tag}-known-${i}`);
        await bulkUpsertSubjects(ctx, { items: known.map((externalId) => ({ externalId, displayName: "k" })) });
        const rows = known.map((externalId) => `${externalId},x,active\n`).join("");
        await takeBack(await run(rows + text(n, n + 5, "unknown"), other), other);
      },
    },
    {
      name: "a file without a last line end that brings missing people back, and is taken back",
      given: 4 * n,
      run: async () => {
        const { id: other } = await createConnector(ctx, {
          name: "Returns",
          type: "csv",
          mapping: { externalId: "id", displayName: "name" },
          missing: "deactivate",
          limits: { deactivations: 1_000_000 },
        });
        const send = async (to: number) => {
          const people = Array.from({ length: to }, (_, i) => `x,${tag}-back-${i}`);
          const { id: queued } = await uploaded(ctx, other, `name,id\n${people.join("\n")}`);
          while (await runConnectorStep(new Date()));
          return queued;
        };
        await send(n);
        await send(n / 2);
        await takeBack(await send(n), other);
      },
    },
    {
      name: "a file of new people in groups",
      run: async () => {
        ({ id: classes } = await createConnector(ctx, {
          name: "Classes",
          type: "csv",
          mapping: { externalId: "id", status: "status", attributes: { state: "status" }, groups: ["name"] },
          missing: "deactivate",
          limits: { deactivations: 1_000_000 },
        }));
        await run(inClass("1a"), classes);
      },
    },
    {
      name: "a preview of a file whose people change groups",
      run: async () => {
        const { counts } = await previewConnector(ctx, { connectorId: classes, content: header + inClass("2b") });
        expect(counts).toMatchObject({ updated: n });
      },
    },
    {
      name: "a file whose people change groups",
      run: async () => {
        regrouped = await run(inClass("2b"), classes);
      },
    },
    { name: "a run whose people changed groups is taken back", run: () => takeBack(regrouped, classes) },
    {
      name: "a preview of a file that misses inactive people in groups",
      given: 3 * n,
      run: async () => {
        const inactive = (to: number) => inClass("1a", to).replaceAll(",active", ",inactive");
        await run(inactive(n), classes);
        const content = header + inactive(n / 2);
        const { counts } = await previewConnector(ctx, { connectorId: classes, content, actions: ["update"] });
        expect(counts).toMatchObject({ updated: n / 2 });
        await run(inClass("1a"), classes);
      },
    },
    {
      name: "a file that misses people in groups, with rows that are refused when they are written",
      run: async () => {
        const big = { attributes: { big: "x".repeat(65_515) }, attributesMode: "replace" as const };
        await bulkUpsertSubjects(ctx, {
          items: [0, 1].map((i) => ({ externalId: `${tag}-class-${i}`, ...big })),
        });
        const queued = await run(inClass("3c", n / 2), classes);
        const { counts } = await getConnectorRun(ctx, { id: classes, run: queued });
        expect(counts.rejected).toBeGreaterThan(0);
      },
    },
    {
      name: "a file whose removals are held",
      run: async () => {
        await run(text(0, n));
        await change({ limits: { deactivations: 0, deactivationPercent: 0 } });
        held = await run(text(0, n / 2) + text(n / 2, (3 * n) / 4, "inactive"));
      },
    },
    {
      name: "a file of changes while a run is held",
      run: async () => {
        await change({ mode: "delta" });
        await run(text(n - 1, n));
      },
    },
    {
      name: "an approval",
      run: async () => {
        const { data } = await listConnectorRemovals(ctx, { id, run: held });
        expect(data).not.toEqual([]);
        await approveConnectorRun(ctx, { id, run: held, expectedCount: n / 2 - 1 });
        while (await runConnectorStep(new Date()));
      },
    },
  ].map((call) => ({ given: n, each: 60, ...call }));
}
