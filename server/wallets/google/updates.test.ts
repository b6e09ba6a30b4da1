import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sequenceBatch } from "@/server/consumers";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { purgeExpired } from "@/server/retention/purge";
import { runChild } from "@/server/testing/child";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { applyWalletChanges } from "../apply-changes";
import { googleService } from "./service";
import type { GoogleServer } from "./testing/google-server";
import { googleHolder } from "./testing/holder";
import { refusal, textOf } from "./testing/objects";
import { standIn } from "./testing/stand-in";
import { updateGooglePasses } from "./update-passes";

let google: GoogleServer;
beforeAll(async () => {
  const drop = await ownDatabase();
  google = await standIn();
  return drop;
});
beforeEach(async () => {
  await sql(`DELETE FROM google_passes`);
  google.instead = () => null;
  google.hold = undefined;
  google.aheadMs = 0;
  google.received.length = 0;
});

const minute = 60_000;
const day = 86_400_000;

/** Runs the jobs that follow a commit, with the clock moved ahead by `afterMs`. Returns how many passes Google accepted. */
async function runJobs(afterMs = 0, service = googleService()): Promise<number> {
  const now = () => new Date(Date.now() + afterMs);
  while ((await sequenceBatch()).more);
  while ((await applyWalletChanges(now())).more);
  return (await updateGooglePasses(service, now)).updated;
}

/** A holder who has the pass. Clears the requests that Google received until then. */
async function withPass() {
  const made = await googleHolder();
  expect((await made.open()).status).toBe(303);
  google.received.length = 0;
  return {
    ...made,
    pass: () => made.object()!,
    status: () => made.object()!["textModulesData"].find(({ id }: { id: string }) => id === "status")?.body,
    channelEvents: async () =>
      (await eventsOf(made.home.orgId))
        .map(({ type }) => type)
        .filter((type) => type.startsWith("credential.channel.")),
    problem: async () => (await call("GET", "/v1/organisation/google_wallet", { token: made.token })).json()["problem"],
    rename: (displayName: string) =>
      call("PATCH", `/v1/subjects/${made.credential.subjectId}`, { token: made.token, body: { displayName } }),
  };
}

const requests = () => google.received.map(({ method, path }) => `${method} ${path.replace(/\d+\.[\w-]+/, "…")}`);
const messages = (pass: Record<string, any>) => (pass["messages"] ?? []).map(({ body }: { body: string }) => body);

describe("a pass in Google Wallet", () => {
  it("is inactive while suspended, active after resumption and expired once revoked, each time with a message", async () => {
    const { pass, status, post } = await withPass();
    expect(await runJobs()).toBe(0);
    expect(google.received).toEqual([]);
    await post("suspend", { reason: "Lost card" });
    expect(await runJobs()).toBe(1);
    expect(requests()).toEqual(["PATCH genericObject/…", "POST genericObject/…/addMessage"]);
    expect(pass()).toMatchObject({ state: "INACTIVE" });
    expect(pass()).not.toHaveProperty("barcode");
    expect(status()).toBe("Suspended: Lost card");
    expect(pass()["messages"]).toEqual([
      { header: "Student card", body: "Suspended: Lost card", messageType: "TEXT_AND_NOTIFY" },
    ]);

    await post("resume");
    await runJobs();
    expect(pass()).toMatchObject({ state: "ACTIVE", barcode: { type: "QR_CODE" } });
    expect([status(), messages(pass())]).toEqual([undefined, ["Valid again"]]);

    await post("revoke", { reason: "Left the university" });
    await runJobs();
    expect(pass()).toMatchObject({ state: "EXPIRED" });
    expect(pass()).not.toHaveProperty("barcode");
    expect([status(), messages(pass())]).toEqual(["Revoked: Left the university", ["Revoked: Left the university"]]);
    expect(await runJobs(day)).toBe(0);
  });

  it("shows a new name without a message", async () => {
    const { pass, rename } = await withPass();
    await rename("Ada King");
    expect(await runJobs()).toBe(1);
    expect([textOf(pass()["header"]), requests()]).toEqual(["Ada King", ["PATCH genericObject/…"]]);
  });

  it("shows a new expiry date, and expires on it", async () => {
    const { pass, credential, token, post } = await withPass();
    const expiresAt = new Date(Date.now() + day).toISOString();
    await call("PATCH", `/v1/credentials/${credential.id}`, { token, body: { expiresAt } });
    await runJobs();
    expect(pass()).toMatchObject({ state: "ACTIVE", validTimeInterval: { end: { date: expiresAt } } });
    await call("PATCH", `/v1/credentials/${credential.id}`, { token, body: { expiresAt: null } });
    await runJobs();
    expect(pass()).not.toHaveProperty("validTimeInterval");
    await post("revoke", { reason: "Left" });
  });

  it("gets at most three messages a day; further changes of that day are silent", async () => {
    const { pass, post } = await withPass();
    for (const turn of [1, 2]) {
      await post("suspend", { reason: `Turn ${turn}` });
      await runJobs();
      await post("resume");
      await runJobs();
    }
    expect(requests().filter((each) => each.includes("addMessage"))).toHaveLength(3);
    expect(pass()).toMatchObject({ state: "ACTIVE", barcode: { type: "QR_CODE" }, messages: [] });
    await post("suspend", { reason: "Tomorrow" });
    google.aheadMs = day + minute;
    await runJobs(day + minute);
    expect([pass()["state"], messages(pass())]).toEqual(["INACTIVE", ["Suspended: Tomorrow"]]);
    expect(await runJobs(2 * day)).toBe(0);
  });

  it("is replaced by a new pass once the organisation changed its issuer", async () => {
    const { token, open, credential, post, pass } = await withPass();
    const before = pass()["id"] as string;
    await call("DELETE", "/v1/organisation/google_wallet", { token });
    const { issuerId, serviceAccount } = google.account();
    await call("PUT", "/v1/organisation/google_wallet", { token, body: { issuerId, serviceAccount } });
    await post("suspend");
    expect(await runJobs()).toBe(0);
    await post("resume");
    expect((await open()).status).toBe(303);
    expect([...google.objects.keys()].filter((id) => id.startsWith(issuerId))).toHaveLength(1);
    expect(google.objects.get(before)).toMatchObject({ state: "ACTIVE" });
    expect(credential.id).toMatch(/^crd_/);
  });
});

describe("an update that Google does not accept", () => {
  it.each([
    [429, "RESOURCE_EXHAUSTED"],
    [500, "INTERNAL"],
    [503, "UNAVAILABLE"],
  ])("is retried after %s, and the settings show admins why", async (code, reason) => {
    const { post, pass, problem } = await withPass();
    google.instead = () => refusal(code, reason, "Not now.");
    await post("revoke", { reason: "Left" });
    expect(await runJobs()).toBe(0);
    expect(await problem()).toBe(`Google answered ${code} ${reason}.`);
    google.instead = () => null;
    expect(await runJobs()).toBe(0);
    expect(await runJobs(minute)).toBe(1);
    expect([pass()["state"], messages(pass()), await problem()]).toEqual(["EXPIRED", ["Revoked: Left"], null]);
    expect(await runJobs(2 * day)).toBe(0);
  });

  it("is retried while Google cannot be reached", async () => {
    const { post, pass, problem } = await withPass();
    await post("suspend");
    expect(await runJobs(0, { ...googleService(), apiUrl: "http://127.0.0.1:9/walletobjects/v1" })).toBe(0);
    expect(await problem()).toContain("Google could not be reached.");
    expect(await runJobs(minute)).toBe(1);
    expect(pass()["state"]).toBe("INACTIVE");
  });

  it("waits while Google does not accept the key, and is sent as soon as a new key is entered", async () => {
    const { post, pass, problem, email, issuerId, token } = await withPass();
    google.deleteKey(email);
    await post("suspend");
    expect(await runJobs()).toBe(0);
    expect(await problem()).toContain(`Google does not accept the key of ${email}`);
    const { serviceAccount } = google.account([issuerId]);
    await call("PUT", "/v1/organisation/google_wallet", { token, body: { issuerId, serviceAccount } });
    expect(await runJobs()).toBe(1);
    expect([pass()["state"], await problem()]).toEqual(["INACTIVE", null]);
  });

  it("waits while the account may not create passes for the issuer", async () => {
    const { post, problem, email } = await withPass();
    google.instead = () => refusal(403, "PERMISSION_DENIED", "Permission denied.");
    await post("suspend");
    expect(await runJobs()).toBe(0);
    expect(await problem()).toContain(`Google does not let ${email} create passes`);
    google.instead = () => null;
    expect(await runJobs(minute)).toBe(1);
  });

  it("waits while the organisation has no service account", async () => {
    const { post, pass, token, configure } = await withPass();
    await call("DELETE", "/v1/organisation/google_wallet", { token });
    await post("suspend");
    expect(await runJobs()).toBe(0);
    await configure();
    expect(await runJobs()).toBe(1);
    expect(pass()["state"]).toBe("INACTIVE");
  });

  it("creates the pass again if Google no longer has it (404, 410)", async () => {
    const { post, pass } = await withPass();
    google.objects.clear();
    await post("suspend");
    expect(await runJobs()).toBe(1);
    expect(pass()["state"]).toBe("INACTIVE");
    google.instead = ({ method }) => (method === "PATCH" ? refusal(410, "GONE", "Gone.") : null);
    google.objects.clear();
    await post("resume");
    expect(await runJobs()).toBe(1);
    expect(pass()["state"]).toBe("ACTIVE");
  });

  it("marks the channel as failed after 30 days, and is retried daily until Google accepts it", async () => {
    const { post, pass, channels, channelEvents } = await withPass();
    google.instead = () => refusal(400, "INVALID_ARGUMENT", "Not this.");
    await post("revoke", { reason: "Left" });
    for (const after of [0, day, 2 * day]) await runJobs(after);
    expect(await channels()).toMatchObject([{ status: "provisioned" }]);
    for (const after of [31 * day, 33 * day]) await runJobs(after);
    expect(await channels()).toMatchObject([
      { status: "failed", error: "Google does not accept this (400 INVALID_ARGUMENT)." },
    ]);
    google.instead = () => null;
    expect(await runJobs(40 * day)).toBe(1);
    expect(pass()["state"]).toBe("EXPIRED");
    expect(await channels()).toMatchObject([{ status: "provisioned", error: null }]);
    expect(await channelEvents()).toEqual([
      "credential.channel.provisioned",
      "credential.channel.failed",
      "credential.channel.provisioned",
    ]);
  });
});

describe("a message that Google does not accept", () => {
  it("is sent again, and counts once", async () => {
    const { post, pass } = await withPass();
    google.instead = ({ path }) => (path.endsWith("addMessage") ? refusal(503, "UNAVAILABLE", "Not now.") : null);
    await post("suspend", { reason: "Fees" });
    expect(await runJobs()).toBe(0);
    expect(pass()["state"]).toBe("INACTIVE");
    google.instead = () => null;
    expect(await runJobs(minute)).toBe(1);
    expect(messages(pass())).toEqual(["Suspended: Fees"]);
    const [row] = await sql<{ n: number }>(`SELECT cardinality(notified_at) AS n FROM google_passes`);
    expect(row!.n).toBe(1);
  });

  it("is dropped if the quota of the day is used up", async () => {
    const { post, pass } = await withPass();
    google.instead = ({ path }) =>
      path.endsWith("addMessage") ? refusal(403, "PERMISSION_DENIED", "QuotaExceededException") : null;
    await post("suspend");
    expect(await runJobs()).toBe(1);
    expect(pass()).toMatchObject({ state: "INACTIVE", messages: [] });
    google.instead = () => null;
    expect(await runJobs(day)).toBe(0);
  });
});

describe("an update", () => {
  it("is queued in the statement that numbers the event, so that a crash afterwards loses nothing", async () => {
    const { post, pass } = await withPass();
    await post("suspend");
    while ((await sequenceBatch()).more);
    expect(await sql(`SELECT 1 FROM wallet_changes`)).toHaveLength(1);
    expect(await runJobs()).toBe(1);
    expect(pass()["state"]).toBe("INACTIVE");
  });

  it("is sent by another process, and shows one message, after the lease of one that was killed while it sent", async () => {
    const { post, pass } = await withPass();
    await post("suspend", { reason: "Fees" });
    while ((await sequenceBatch()).more);
    await applyWalletChanges(new Date());
    const asked = Promise.withResolvers<void>();
    google.hold = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const child = await runChild("server/wallets/testing/update.child.ts", ["google"]);
    await asked.promise;
    await child.kill();
    google.hold = undefined;
    expect(await runJobs()).toBe(0);
    expect(await runJobs(4 * minute)).toBe(1);
    expect([pass()["state"], messages(pass())]).toEqual(["INACTIVE", ["Suspended: Fees"]]);
    expect(await runJobs(day)).toBe(0);
  });

  it("is sent once even if two workers run", async () => {
    const made = [await withPass(), await withPass(), await withPass()];
    google.received.length = 0;
    for (const { post } of made) await post("suspend");
    while ((await sequenceBatch()).more);
    await applyWalletChanges(new Date());
    const now = () => new Date();
    const [one, two] = await Promise.all([
      updateGooglePasses(googleService(), now),
      updateGooglePasses(googleService(), now),
    ]);
    expect(one.updated + two.updated).toBe(3);
    expect(requests().toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "PATCH genericObject/…"),
      ...Array.from({ length: 3 }, () => "POST genericObject/…/addMessage"),
    ]);
  });

  it("is followed by another update if the credential changes while it is being sent, never by older content", async () => {
    const { post, pass } = await withPass();
    await post("suspend");
    google.hold = async () => {
      google.hold = undefined;
      await post("revoke", { reason: "Left" });
      // Another worker finds the pass leased.
      expect(await runJobs()).toBe(0);
    };
    expect(await runJobs()).toBe(2);
    expect([pass()["state"], messages(pass())]).toEqual(["EXPIRED", ["Revoked: Left"]]);
  });

  it("follows a change that comes while the pass is being created", async () => {
    const { open, object, post } = await googleHolder();
    google.hold = async ({ method, path }) => {
      if (method !== "POST" || path !== "genericObject") return;
      google.hold = undefined;
      await post("revoke", { reason: "Left" });
    };
    await open();
    await runJobs();
    expect(object()!["state"]).toBe("EXPIRED");
  });
});

describe("the erasure of a holder", () => {
  it("blanks the pass at Google; its row is deleted after 30 days, but not before Google accepted the blank pass", async () => {
    const { post, pass, home, credential, channels } = await withPass();
    await post("suspend", { reason: "Lost card" });
    await runJobs();
    const id = pass()["id"] as string;
    await eraseSubject(home.ctx, { id: credential.subjectId, reason: "Asked for it" });
    google.instead = () => refusal(503, "UNAVAILABLE", "Not now.");
    await runJobs();
    const rows = () => sql(`SELECT 1 FROM google_passes WHERE org_id = $1`, [home.orgId]);
    const later = new Date(Date.now() + 31 * day);
    await purgeExpired(later, new Date(Date.now() + minute));
    expect(await rows()).toHaveLength(1);
    google.instead = () => null;
    google.received.length = 0;
    expect(await runJobs(minute)).toBe(1);
    expect(requests()).toEqual(["PATCH genericObject/…"]);
    const blank = google.objects.get(id)!;
    expect(blank).toMatchObject({ state: "EXPIRED", textModulesData: [], messages: [] });
    expect(blank).not.toHaveProperty("barcode");
    expect(JSON.stringify(blank)).not.toMatch(/Lovelace|Mathematics|12345678|Lost card/);
    expect(await channels()).toEqual([]);
    await purgeExpired(new Date(Date.now() + 29 * day), new Date(Date.now() + minute));
    expect(await rows()).toHaveLength(1);
    await purgeExpired(later, new Date(Date.now() + minute));
    expect(await rows()).toHaveLength(0);
  });
});
