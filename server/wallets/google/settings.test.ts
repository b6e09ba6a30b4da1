import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { AppleAuthority } from "../apple/testing/authority";
import { accessToken } from "./access-token";
import { readServiceAccount } from "./read-service-account";
import { googleService } from "./service";
import { addressesOf } from "./testing/addresses";
import { GoogleServer } from "./testing/google-server";
import { refusal } from "./testing/objects";
import { standIn } from "./testing/stand-in";

let google: GoogleServer;
beforeAll(async () => {
  google = await standIn();
});
beforeEach(() => {
  google.instead = () => null;
});

const path = "/v1/organisation/google_wallet";

async function home() {
  const made = await world();
  const token = await made.key("settings:write");
  return { ...made, token, put: (body: object) => call("PUT", path, { token, body }) };
}

const issues = (answer: { json<T>(): T }) =>
  answer
    .json<{ errors: { pointer: string; code: string }[] }>()
    .errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe("the service account of Google Wallet", () => {
  it("is stored after Google accepted it; its address and key id are returned, and its private key never is", async () => {
    const { orgId, token, put } = await home();
    const before = await call("GET", path, { token });
    expect(before.json()).toMatchObject({ object: "google_wallet_settings", configured: false, issuerId: null });
    const { issuerId, serviceAccount, email } = google.account();
    const answer = await put({ issuerId, serviceAccount });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { configured: true, issuerId, clientEmail: email, keyId: expect.stringMatching(/^\w{40}$/), problem: null },
    ]);
    expect([...google.classes.keys()].some((id) => id.startsWith(`${issuerId}.org_`))).toBe(true);
    expect(answer.text + (await call("GET", path, { token })).text).not.toContain("PRIVATE KEY");
    const [row] = await sql<{ private_key: Buffer }>(
      `SELECT private_key FROM google_wallet_settings WHERE org_id = $1`,
      [orgId],
    );
    expect(row!.private_key.toString("latin1")).not.toContain("PRIVATE KEY");
    expect(await auditOf(orgId)).toContain("wallet.google_configured");
  });

  it("is refused with an issue for each wrong field, and nothing is stored", async () => {
    const { put, token } = await home();
    const { issuerId, serviceAccount } = google.account();
    const file = JSON.parse(serviceAccount) as { private_key: string };
    const sent = (some: object) => put({ issuerId, serviceAccount: JSON.stringify({ ...file, ...some }) });
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const ecKey = ec.export({ type: "pkcs8", format: "pem" });
    expect(issues(await put({ issuerId, serviceAccount: "not JSON" }))).toEqual(["/serviceAccount invalid_format"]);
    expect(issues(await sent({ type: "authorized_user" }))).toEqual(["/serviceAccount wrong_kind"]);
    expect(issues(await sent({ private_key: undefined }))).toEqual(["/serviceAccount wrong_kind"]);
    // A key of many thousand bits would take seconds for each signature.
    const long = `${file.private_key}${"\n".repeat(4000)}`;
    expect(issues(await sent({ private_key: long }))).toEqual(["/serviceAccount wrong_kind"]);
    expect(issues(await sent({ private_key: "-----BEGIN PRIVATE KEY-----" }))).toEqual([
      "/serviceAccount invalid_value",
    ]);
    expect(issues(await sent({ private_key: ecKey }))).toEqual(["/serviceAccount invalid_value"]);
    expect(issues(await put({ issuerId: "my issuer", serviceAccount }))).toEqual(["/issuerId invalid_format"]);
    expect((await call("GET", path, { token })).json()).toMatchObject({ configured: false });
  });

  it("is refused if Google does not know the key, or does not let the account act for the issuer", async () => {
    const { put } = await home();
    const { issuerId, serviceAccount } = google.account();
    const other = google.account();
    const deleted = google.account();
    google.deleteKey(deleted.email);
    const unknown = await put({ issuerId: deleted.issuerId, serviceAccount: deleted.serviceAccount });
    expect([issues(unknown), unknown.text]).toEqual([
      ["/serviceAccount invalid_value"],
      expect.stringContaining("Google does not accept the key"),
    ]);
    const foreign = await put({ issuerId: other.issuerId, serviceAccount });
    expect([issues(foreign), foreign.text]).toEqual([
      ["/issuerId invalid_value"],
      expect.stringContaining("invite this address under Users"),
    ]);
    expect((await put({ issuerId, serviceAccount })).status).toBe(200);
  });

  it("is not stored while Google is unavailable, and the settings stay as they were", async () => {
    const { put, token } = await home();
    const { issuerId, serviceAccount } = google.account();
    google.instead = () => refusal(503, "UNAVAILABLE", "Not now.");
    expect((await put({ issuerId, serviceAccount })).json()).toMatchObject({ status: 503, code: "unavailable" });
    expect((await call("GET", path, { token })).json()).toMatchObject({ configured: false });
  });

  it("can be replaced by an account of the same issuer, and of another issuer only after it was removed", async () => {
    const { put, token } = await home();
    const { issuerId, serviceAccount } = google.account();
    await put({ issuerId, serviceAccount });
    const second = google.account([issuerId]);
    expect((await put({ issuerId, serviceAccount: second.serviceAccount })).json()).toMatchObject({
      clientEmail: second.email,
    });
    const another = google.account();
    const sent = { issuerId: another.issuerId, serviceAccount: another.serviceAccount };
    expect((await put(sent)).json()).toMatchObject({ status: 409, code: "passes_issued" });
    expect((await call("DELETE", path, { token })).status).toBe(204);
    expect((await put(sent)).json()).toMatchObject({ configured: true, issuerId: another.issuerId });
  });
});

it("requests to Google trust only the certificate authorities of GOOGLE_CA", async () => {
  const folder = await mkdtemp(join(tmpdir(), "google-ca-"));
  const authority = await AppleAuthority.create("A certificate authority");
  const server = await GoogleServer.start({ tls: await authority.server() });
  const ca = join(folder, "ca.pem");
  await writeFile(ca, authority.wwdr);
  const configured = { ...env(), ...addressesOf(server.origin.replace("http://127.0.0.1", "https://localhost")) };
  const { issuerId, serviceAccount } = server.account();
  const account = readServiceAccount(serviceAccount);
  if (Array.isArray(account)) throw new Error("The key file cannot be read.");
  const issuer = { issuerId, ...account };
  expect(await accessToken(googleService(configured), issuer)).toMatchObject({
    words: expect.stringContaining("Google could not be reached."),
  });
  expect(await accessToken(googleService({ ...configured, GOOGLE_CA: ca }), issuer)).toEqual({
    token: expect.any(String),
  });
  await Promise.all([server.close(), authority.close(), rm(folder, { recursive: true })]);
});
