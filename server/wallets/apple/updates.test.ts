import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sequenceBatch } from "@/server/consumers";
import { stopDrawing } from "@/server/drawing/draw";
import { transaction } from "@/server/core/transaction";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { purgeExpired } from "@/server/retention/purge";
import { runChild } from "@/server/testing/child";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import type { World } from "@/server/testing/world";
import { applyWalletChanges } from "../apply-changes";
import { maxEndedChannels } from "./device-channel";
import { pushDevices } from "./push-devices";
import type { PushService } from "./push-service";
import { maxDevices } from "./register-device";
import { stopSigning } from "./sign-pass";
import { AppleAuthority } from "./testing/authority";
import { holder } from "./testing/holder";
import { Phone } from "./testing/phone";
import { PushServer } from "./testing/push-server";

let authority: AppleAuthority;
let server: PushServer;
let service: PushService;
beforeAll(async () => {
  authority = await AppleAuthority.create();
  ({ server, service } = await PushServer.start(authority));
  const drop = await ownDatabase();
  return async () => {
    await drop();
    await server.close();
  };
});
afterAll(async () => {
  await Promise.all([stopSigning(), stopDrawing()]);
  await authority.close();
});
beforeEach(async () => {
  await sql(`DELETE FROM apple_devices`);
  server.received.length = 0;
  server.answer = () => [200];
  server.hold = undefined;
});

const minute = 60_000;
const day = 86_400_000;

/** Runs the jobs that follow a commit, with the clock moved ahead by `afterMs`. Returns how many messages were sent. */
async function runJobs(afterMs = 0, to = service): Promise<number> {
  const now = () => new Date(Date.now() + afterMs);
  while ((await sequenceBatch()).more);
  while ((await applyWalletChanges(now())).more);
  return (await pushDevices(to, now)).sent;
}

/** The environment of another process that sends to the stand-in for Apple. */
async function childEnv() {
  const ca = join(await mkdtemp(join(tmpdir(), "bonafide-apple-")), "ca.pem");
  await writeFile(ca, service.ca!);
  return { APPLE_PUSH_URL: service.url, APPLE_PUSH_CA: ca };
}

const channelEvents = async ({ orgId }: World) =>
  (await eventsOf(orgId)).map(({ type }) => type).filter((type) => type.startsWith("credential.channel."));

/** A holder whose phone has the pass. */
async function withPhone() {
  const home = await holder(authority);
  const phone = new Phone(authority);
  expect(await phone.add((await home.download()).bytes)).toBe(201);
  const [serial] = phone.passes.keys();
  return { ...home, phone, serial: serial!, pass: () => phone.passes.get(serial!)!.pass };
}

describe("a phone with a pass", () => {
  it("gets a message and a new pass after suspension, resumption and revocation; a revoked pass stays voided", async () => {
    const { phone, serial, pass, post, home, channels } = await withPhone();
    expect(await channels()).toMatchObject([
      { type: "apple_wallet", status: "installed", address: expect.stringMatching(/^[0-9a-f]{8}$/) },
    ]);
    await runJobs();
    expect(server.received).toEqual([]);
    await post("suspend", { reason: "Lost card" });
    expect(await runJobs()).toBe(1);
    expect(server.received).toEqual([
      { token: phone.pushToken, topic: "pass.test.example.card", body: "{}", sender: "pass.test.example.card" },
    ]);
    expect(await phone.update()).toEqual({ [serial]: 200 });
    expect(pass()).toMatchObject({ voided: true, serialNumber: serial });
    expect(pass()).not.toHaveProperty("barcodes");
    const state = pass()["generic"].backFields.find(({ key }: { key: string }) => key === "state");
    expect(state).toMatchObject({ value: "Suspended: Lost card", changeMessage: "Student card: %@" });
    expect(await phone.fetch(serial)).toBe(304);

    await post("resume");
    await runJobs();
    expect(await phone.update()).toEqual({ [serial]: 200 });
    expect(pass()).not.toHaveProperty("voided");
    expect(pass()["barcodes"]).toHaveLength(1);

    await post("revoke", { reason: "Left the university" });
    await runJobs();
    expect(await phone.update()).toEqual({ [serial]: 200 });
    expect(pass()).toMatchObject({ voided: true });
    expect(pass()).not.toHaveProperty("barcodes");
    expect(await phone.update()).toEqual({});
    expect(server.received).toHaveLength(3);
    expect(await channelEvents(home)).toEqual(["credential.channel.provisioned", "credential.channel.installed"]);
  });

  it("gets a new pass when the holder's name changes", async () => {
    const { phone, serial, pass, token, credential } = await withPhone();
    await call("PATCH", `/v1/subjects/${credential.subjectId}`, { token, body: { displayName: "Ada King" } });
    await runJobs();
    expect(await phone.update()).toEqual({ [serial]: 200 });
    expect(pass()["generic"].primaryFields[0].value).toBe("Ada King");
  });

  it("learns of a change between the download and the registration", async () => {
    const home = await holder(authority);
    const file = (await home.download()).bytes;
    await home.post("revoke", { reason: "Left" });
    await runJobs();
    const phone = new Phone(authority);
    expect(await phone.add(file)).toBe(201);
    expect(await runJobs()).toBe(1);
    expect(Object.values(await phone.update())).toEqual([200]);
    expect([...phone.passes.values()][0]!.pass).toMatchObject({ voided: true });
  });

  it("gets both versions if a pass changes twice within a second", async () => {
    const { phone, serial, post } = await withPhone();
    await post("suspend");
    await runJobs();
    await phone.update();
    await post("resume");
    await runJobs();
    expect(await phone.fetch(serial)).toBe(200);
  });

  it("has its own channel, which is removed when the holder removes the pass from it", async () => {
    const { phone, serial, download, home, channels } = await withPhone();
    const second = new Phone(authority);
    await second.add((await download()).bytes);
    expect(await second.register(second.passes.get(serial)!.pass)).toBe(200);
    expect((await channels()).map(({ status }) => status)).toEqual(["installed", "installed"]);
    const { pass } = phone.passes.get(serial)!;
    expect(await phone.remove(serial)).toBe(200);
    expect((await channels()).map(({ status }) => status).toSorted()).toEqual(["installed", "removed"]);
    expect(await phone.register(pass)).toBe(201);
    expect(await channelEvents(home)).toEqual([
      "credential.channel.provisioned",
      "credential.channel.installed",
      "credential.channel.removed",
    ]);
  });

  it("can register after a stranger filled the limit with invented phones, and a phone that was reached is not replaced", async () => {
    const { phone, serial, post, channels, pass } = await withPhone();
    await post("suspend");
    expect(await runJobs()).toBe(1);
    const invented = () =>
      sql(
        `INSERT INTO apple_devices (org_id, credential_id, device_id, pass_type_id, push_token, state, next_attempt_at, wanted_at, created_at)
         SELECT p.org_id, p.credential_id, gen_random_uuid()::text, p.pass_type_id, 'abcdef01', 'idle', now(), now(), now() FROM apple_passes p, generate_series(1, $2) WHERE p.serial = $1`,
        [serial, maxDevices - 1],
      );
    await invented();
    const second = new Phone(authority);
    expect(await second.register(pass())).toBe(201);
    const devices = (
      await sql<{ device_id: string }>(
        `SELECT d.device_id FROM apple_devices d JOIN apple_passes p USING (org_id, credential_id) WHERE p.serial = $1`,
        [serial],
      )
    ).map(({ device_id }) => device_id);
    expect(devices).toHaveLength(maxDevices);
    expect(devices).toEqual(expect.arrayContaining([phone.id, second.id]));
    expect((await channels()).filter(({ status }) => status === "installed")).toHaveLength(2);
  });

  it("is not rate limited by a stranger who sends wrong tokens for its pass", async () => {
    const { phone, serial } = await withPhone();
    const path = `/wallet/apple/v1/passes/pass.test.example.card/${serial}`;
    for (let n = 0; n < 70; n++) await call("GET", path, { headers: { authorization: "ApplePass wrong" } });
    expect(await phone.fetch(serial)).toBe(200);
  });

  it("emits one event of each type a minute and leaves few channels, however often phones register and unregister", async () => {
    const { serial, pass, home, token, credential } = await withPhone();
    for (let n = 0; n < maxEndedChannels + 3; n++) {
      const other = new Phone(authority);
      expect(await other.register(pass())).toBe(201);
      other.passes.set(serial, { pass: pass(), files: new Map(), lastModified: null } as never);
      expect(await other.remove(serial)).toBe(200);
    }
    expect(await channelEvents(home)).toEqual([
      "credential.channel.provisioned",
      "credential.channel.installed",
      "credential.channel.removed",
    ]);
    const { channels } = (await call("GET", `/v1/credentials/${credential.id}`, { token })).json<{
      channels: { status: string }[];
    }>();
    expect(channels.filter(({ status }) => status === "removed")).toHaveLength(maxEndedChannels);
    expect(channels).toHaveLength(maxEndedChannels + 1);
  });

  it("is refused with a wrong token, a wrong pass type or a malformed push token", async () => {
    const { phone, serial, pass, channels } = await withPhone();
    const path = `/wallet/apple/v1/passes/pass.test.example.card/${serial}`;
    expect((await call("GET", path)).status).toBe(401);
    expect((await call("GET", path, { headers: { authorization: "ApplePass wrong" } })).status).toBe(401);
    const other = new Phone(authority);
    expect(await other.register({ ...pass(), authenticationToken: "wrong" })).toBe(401);
    expect(await other.register({ ...pass(), passTypeIdentifier: "pass.test.example.other" })).toBe(401);
    expect(await other.register(pass(), { pushToken: "../.." })).toBe(400);
    expect(await other.register(pass(), {})).toBe(400);
    expect(await channels()).toHaveLength(1);
    const foreign = `/wallet/apple/v1/devices/${other.id}/registrations/pass.test.example.card`;
    expect((await call("GET", foreign)).status).toBe(204);
    expect((await call("POST", "/wallet/apple/v1/log", { body: { logs: ["a problem"] } })).status).toBe(200);
    expect(await phone.fetch(serial)).toBe(200);
  });
});

describe("a message to a phone", () => {
  it("is retried until Apple accepts it, and the settings show admins why it was not accepted", async () => {
    const { phone, post, token } = await withPhone();
    server.answer = () => [503, "ServiceUnavailable"];
    await post("suspend");
    expect(await runJobs()).toBe(0);
    expect((await call("GET", "/v1/organisation/apple_wallet", { token })).text).toContain("https");
    const [{ problem } = { problem: null }] = await sql<{ problem: string | null }>(
      `SELECT problem FROM apple_wallet_settings WHERE problem IS NOT NULL`,
    );
    expect(problem).toBe("Apple's push service answered 503 (ServiceUnavailable).");
    expect(await runJobs()).toBe(0);
    server.answer = () => [200];
    expect(await runJobs(0)).toBe(0);
    expect(await runJobs(minute)).toBe(1);
    expect(server.received.map(({ token: to }) => to)).toEqual([phone.pushToken]);
    expect(await sql(`SELECT 1 FROM apple_wallet_settings WHERE problem IS NOT NULL`)).toEqual([]);
    expect(await runJobs(2 * day)).toBe(0);
  });

  it("is retried while Apple cannot be reached or does not accept the certificate", async () => {
    const { post } = await withPhone();
    await post("suspend");
    expect(await runJobs(0, { ...service, url: "https://localhost:9" })).toBe(0);
    const stranger = await AppleAuthority.create("A Stranger");
    const { server: strict, service: refusing } = await PushServer.start(stranger);
    expect(await runJobs(minute, refusing)).toBe(0);
    expect(strict.received).toEqual([]);
    await Promise.all([strict.close(), stranger.close()]);
    expect(await runJobs(10 * minute)).toBe(1);
  });

  it("is sent by another process after the lease of one that was killed while it sent", async () => {
    const { phone, post } = await withPhone();
    await post("suspend");
    while ((await sequenceBatch()).more);
    await applyWalletChanges(new Date());
    const asked = Promise.withResolvers<void>();
    server.hold = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const child = await runChild("server/wallets/testing/update.child.ts", ["apple"], await childEnv());
    await asked.promise;
    await child.kill();
    server.hold = undefined;
    expect(await runJobs()).toBe(0);
    expect(await runJobs(3 * minute)).toBe(1);
    expect(server.received.map(({ token }) => token)).toEqual([phone.pushToken]);
    expect(await runJobs(day)).toBe(0);
  });

  it("is queued by another process if the one that took up the change was killed in the middle", async () => {
    const { phone, serial, post } = await withPhone();
    await post("suspend");
    while ((await sequenceBatch()).more);
    await transaction(async (tx) => {
      // Blocks the child after it has taken the change up.
      await tx.sql(`SELECT FROM apple_passes FOR UPDATE`);
      const child = await runChild("server/wallets/testing/update.child.ts", ["changes"]);
      await vi.waitFor(async () => expect(await waitingForLock()).toHaveLength(1), 20_000);
      await child.kill();
    });
    expect(await runJobs()).toBe(1);
    expect(await phone.update()).toEqual({ [serial]: 200 });
    expect(await sql(`SELECT 1 FROM wallet_changes`)).toEqual([]);
  });

  it("is sent again if the pass changes while it is being sent", async () => {
    const { post } = await withPhone();
    await post("suspend");
    server.hold = async () => {
      server.hold = undefined;
      await post("resume");
      while ((await sequenceBatch()).more);
      await applyWalletChanges(new Date());
    };
    expect(await runJobs()).toBe(2);
    expect(server.received).toHaveLength(2);
  });

  it("is queued in the statement that numbers the event, so that a crash afterwards loses nothing", async () => {
    const { post } = await withPhone();
    await post("suspend");
    while ((await sequenceBatch()).more);
    expect(await sql(`SELECT 1 FROM wallet_changes`)).toHaveLength(1);
    expect(await runJobs()).toBe(1);
    expect(await sql(`SELECT 1 FROM wallet_changes`)).toHaveLength(0);
  });

  it("deletes the phone if Apple answers that it no longer has the pass (410)", async () => {
    const { post, home, channels } = await withPhone();
    server.answer = () => [410, "Unregistered"];
    await post("suspend");
    await runJobs();
    expect(await channels()).toMatchObject([{ status: "removed" }]);
    expect(await channelEvents(home)).toContain("credential.channel.removed");
    server.answer = () => [200];
    await post("resume");
    expect(await runJobs(day)).toBe(0);
  });

  it("fails with a reason if Apple does not know the push token", async () => {
    const { post, home, channels } = await withPhone();
    server.answer = () => [400, "BadDeviceToken"];
    await post("suspend");
    await runJobs();
    expect(await channels()).toMatchObject([
      { status: "failed", error: "Apple's push service does not know this phone (BadDeviceToken)." },
    ]);
    expect(await channelEvents(home)).toContain("credential.channel.failed");
  });

  it("is given up after 30 days, and the channel fails", async () => {
    const { post, channels } = await withPhone();
    await post("suspend");
    server.answer = () => [503];
    for (const after of [0, day, 31 * day]) expect(await runJobs(after)).toBe(0);
    expect(await channels()).toMatchObject([{ status: "failed" }]);
    server.answer = () => [200];
    expect(await runJobs(40 * day)).toBe(0);
  });

  it("waits while the organisation has no certificate", async () => {
    const { post, token, issued } = await withPhone();
    await call("DELETE", "/v1/organisation/apple_wallet", { token });
    await post("suspend");
    expect(await runJobs()).toBe(0);
    await call("PUT", "/v1/organisation/apple_wallet", { token, body: { ...issued, wwdr: authority.wwdr } });
    expect(await runJobs()).toBe(1);
  });
});

describe("the erasure of a holder", () => {
  it("voids the pass on the phone and removes the name from it; after 30 days its rows are deleted", async () => {
    const { phone, serial, pass, home, credential, channels } = await withPhone();
    await eraseSubject(home.ctx, { id: credential.subjectId, reason: "Asked for it" });
    expect(await channels()).toEqual([]);
    expect(await runJobs()).toBe(1);
    expect(await phone.update()).toEqual({ [serial]: 200 });
    expect(pass()).toMatchObject({ voided: true });
    expect(JSON.stringify(pass())).not.toContain("Lovelace");
    const rows = () =>
      sql(`SELECT 1 FROM apple_passes p JOIN apple_devices d USING (org_id, credential_id) WHERE p.org_id = $1`, [
        home.orgId,
      ]);
    const soon = new Date(Date.now() + minute);
    await purgeExpired(new Date(Date.now() + 29 * day), soon);
    expect(await rows()).toHaveLength(1);
    await purgeExpired(new Date(Date.now() + 31 * day), soon);
    expect(await rows()).toHaveLength(0);
    expect(await phone.fetch(serial)).toBe(401);
  });
});

describe("a phone whose holder removed the pass", () => {
  it("is listed for 90 days", async () => {
    const { phone, serial, channels } = await withPhone();
    await phone.remove(serial);
    const soon = new Date(Date.now() + minute);
    await purgeExpired(new Date(Date.now() + 89 * day), soon);
    expect(await channels()).toHaveLength(1);
    await purgeExpired(new Date(Date.now() + 91 * day), soon);
    expect(await channels()).toHaveLength(0);
  });
});
