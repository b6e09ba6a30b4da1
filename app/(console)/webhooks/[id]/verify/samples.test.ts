import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSecret } from "@/server/webhooks/secret";
import { signedHeaders, signingKey } from "@/server/webhooks/sign";
import { samples } from "./samples";

const secret = newSecret();
const body = JSON.stringify({ id: "evt_1", type: "credential.issued", data: { object: { id: "crd_1" } } });
const headers = (secrets: string[], at = new Date()) => signedHeaders({ eventId: "evt_1", eventType: "credential.issued", deliveryId: "dlv_1", attempt: 1, body }, secrets.map(signingKey), at);

/** The sample as it is shown, save for its port. */
describe("the Node sample", () => {
  let listener: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const file = join(mkdtempSync(join(tmpdir(), "sample-")), "listener.mjs");
    writeFileSync(file, samples.node.code.replace(".listen(8080)", '.listen(0, "127.0.0.1", function () { console.log(this.address().port); })'));
    listener = spawn(process.execPath, [file], { env: { ...process.env, BONAFIDE_WEBHOOK_SECRET: secret }, stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(listener.stdout!, "data")) as [Buffer];
    url = `http://127.0.0.1:${String(port).trim()}/`;
  });
  afterAll(() => void listener.kill());

  const send = async (sent: Record<string, string>, text = body) => (await fetch(url, { method: "POST", headers: sent, body: text })).status;

  test("accepts what we sign, also during a rotation", async () => {
    expect(await send(headers([secret]))).toBe(204);
    expect(await send(headers([newSecret(), secret]))).toBe(204);
    expect(await send(headers([secret, newSecret()]))).toBe(204);
  });

  test("refuses another secret, another body, an old time and no signature", async () => {
    expect(await send(headers([newSecret()]))).toBe(400);
    expect(await send(headers([secret]), `${body} `)).toBe(400);
    expect(await send(headers([secret], new Date(Date.now() - 301_000)))).toBe(400);
    expect(await send({})).toBe(400);
  });
});
