import { afterEach, describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { person, Source } from "../http/testing/source";
import type { RunView } from "../run-view";
import { startDueConnector } from "./start-due";

let w: World;
let source: Source;
afterEach(() => source.close());

const open = async (body: object = {}) => {
  w = await world();
  source = await Source.open(w, {}, { schedule: { cron: "0 5 * * *", timeZone: "Europe/Berlin" }, ...body });
  source.json(() => [person(1)]);
};
const connector = async () =>
  (await call("GET", `/v1/connectors/${source.id}`, { token: source.token })).json<{ nextRunAt: string | null }>();
const runs = async () =>
  (await call("GET", `/v1/connectors/${source.id}/runs`, { token: source.token })).json<{ data: RunView[] }>().data;
/** Makes only this connector due, so that other organisations of the database stay unaffected. */
const comes = async () => {
  const due = new Date();
  await sql(`UPDATE connectors SET next_run_at = $2 WHERE org_id = $1`, [w.orgId, due]);
  while (await startDueConnector(due));
};
const patch = (body: object) => call("PATCH", `/v1/connectors/${source.id}`, { token: source.token, body });

describe("a schedule", () => {
  it("runs at its time in its time zone on behalf of the organisation, even after the key that created it is revoked", async () => {
    await open();
    expect((await connector()).nextRunAt).toMatch(/T0[34]:00:00.000Z$/);
    await sql(`UPDATE api_keys SET revoked_at = now() WHERE org_id = $1`, [w.orgId]);
    await comes();
    const other = await w.key();
    Object.assign(source, { token: other });
    const [run] = await runs();
    expect(run).toMatchObject({ trigger: "schedule", status: "queued" });
    expect(await source.finish(run!.id)).toMatchObject({ status: "succeeded", counts: { created: 1 } });
    expect((await connector()).nextRunAt).not.toBeNull();
  });

  it("skips a time while a fetch waits, and a request for a run returns the waiting run", async () => {
    await open();
    await comes();
    await comes();
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect((await source.post("/sync")).json<RunView>().id).toBe(run!.id);
  });

  it("stops while the connector is paused, and continues when it is resumed", async () => {
    await open();
    await patch({ status: "paused" });
    await comes();
    expect(await runs()).toEqual([]);
    expect((await source.post("/sync")).json()["code"]).toBe("connector_paused");
    await patch({ status: "active" });
    expect(Date.parse((await connector()).nextRunAt!)).toBeGreaterThan(Date.now());
  });

  it("uses the organisation's time zone, and is refused for a connector that fetches nothing", async () => {
    await open({ schedule: { cron: "0 5 * * *" } });
    expect(await connector()).toMatchObject({ schedule: { timeZone: "UTC" } });
    const body = { name: "Files", type: "csv", mapping: { externalId: "id" }, schedule: { cron: "0 5 * * *" } };
    const refused = await call("POST", "/v1/connectors", { token: source.token, body });
    expect([refused.status, refused.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      "/schedule",
    ]);
  });

  it("a fetch that is cancelled changes nobody", async () => {
    await open();
    const { id } = (await source.post("/sync")).json<RunView>();
    source.answer = (_, response) =>
      void source.post(`/runs/${id}/cancel`).then(() => response.end(JSON.stringify([person(1)])));
    expect(await source.finish(id)).toMatchObject({ status: "cancelled", counts: { created: 0 } });
  });
});
