import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { fileOf, mapping, numbers } from "../testing/feed";
import { fetchNext } from "../run/fetch";
import { fileAway } from "../run/file-away";
import { runConnectorStep } from "../run/step";
import type { RunView } from "../run-view";
import { DebianServer, hasServer } from "./testing/debian";
import { Fetched } from "./testing/fetched";

let server: DebianServer | undefined;
afterAll(() => server?.close());

it.skipIf(!hasServer)(
  "a fetch from OpenSSH's server signs in with a key and moves the file (skipped without sshd)",
  async () => {
    server = await DebianServer.open();
    const w = await world();
    const token = await w.key();
    const secret = await server.privateKey();
    const settings = {
      direction: "fetch",
      host: "127.0.0.1",
      port: server.port,
      username: server.username,
      auth: "key",
      path: `${server.out()}/`,
    };
    // Larger than one round of parallel reads, to test that pieces are joined in order.
    await writeFile(join(server.out(), "people.csv"), fileOf(numbers(1, 40_000)));
    await symlink("/etc/passwd", join(server.out(), "a-link.csv"));
    const { hostKey } = await Fetched.test(token, { settings, secret });
    expect(await Fetched.test(token, { settings: { ...settings, hostKey }, secret })).toMatchObject({
      ok: true,
      files: ["people.csv"],
    });
    const body = { name: "Drop", type: "sftp", mapping, settings: { ...settings, hostKey }, secret };
    const { id } = (await call("POST", "/v1/connectors", { token, body })).json<{ id: string }>();
    const queued = (await call("POST", `/v1/connectors/${id}/sync`, { token, body: {} })).json<RunView>();
    const run = async () => (await call("GET", `/v1/connectors/${id}/runs/${queued.id}`, { token })).json<RunView>();
    // Runs of other test files may come first, and another process may work on this run.
    while (["queued", "running"].includes((await run()).status)) {
      await fetchNext(new Date(), { pause: async () => undefined });
      await runConnectorStep(new Date());
    }
    while (await fileAway(new Date()));
    await expect.poll(async () => (await run()).file!.movedTo).not.toBeNull();
    expect(await run()).toMatchObject({ status: "succeeded", counts: { created: 40_000 }, file: { problem: null } });
    expect((await readdir(server.out())).sort()).toEqual(["a-link.csv", "archive"]);
    expect(await readdir(join(server.out(), "archive"))).toHaveLength(2);
  },
);
