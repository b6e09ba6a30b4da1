import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { getAppleSettings } from "./get-settings";
import { AppleAuthority } from "./testing/authority";

let apple: AppleAuthority;
let other: AppleAuthority;
beforeAll(async () => {
  [apple, other] = await Promise.all([AppleAuthority.create(), AppleAuthority.create("Somebody Else")]);
});
afterAll(() => Promise.all([apple.close(), other.close()]));

const path = "/v1/organisation/apple_wallet";

async function home() {
  const made = await world();
  const token = await made.key("settings:write");
  return { ...made, token, put: (body: object) => call("PUT", path, { token, body }) };
}

/** Sets the last integer of a .p12 file, which says how often its passphrase is hashed, to 8,388,607. */
function hashedVeryOften(file: Buffer): Buffer {
  expect(file.subarray(-5).toString("hex")).toBe("0203010000");
  return Buffer.concat([file.subarray(0, -3), Buffer.from("7fffff", "hex")]);
}

/** Has the passphrase of an encrypted key (DER, PKCS #8) hashed 2,147,483,647 times instead of 2,048 times. */
function hashedForHours(key: Buffer): Buffer {
  const hex = key.toString("hex");
  const longer = hex.replace(
    /^3082(.{4})305f(.{22})30523031(.{22})3024(.{36})02020800/,
    (_, length: string, pbes2: string, pbkdf2: string, salt: string) =>
      `3082${(parseInt(length, 16) + 2).toString(16).padStart(4, "0")}3061${pbes2}30543033${pbkdf2}3026${salt}02047fffffff`,
  );
  expect(longer).toHaveLength(hex.length + 4);
  return Buffer.from(longer, "hex");
}

const issues = (answer: { json<T>(): T }) =>
  answer
    .json<{ errors: { pointer: string; code: string }[] }>()
    .errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe("the certificate of Apple Wallet", () => {
  it("is stored; its pass type, team and expiry are returned, and its key never is", async () => {
    const { orgId, token, put } = await home();
    const before = await call("GET", path, { token });
    expect(before.json()).toMatchObject({ object: "apple_wallet_settings", configured: false, passTypeId: null });
    const issued = await apple.issue({ days: 20 });
    const answer = await put({ ...issued, wwdr: apple.wwdr });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        configured: true,
        passTypeId: "pass.test.example.card",
        teamId: "TEAM123456",
        problem: expect.stringContaining("https"),
      },
    ]);
    const ends = new Date(answer.json<{ certificateExpiresAt: string }>().certificateExpiresAt).getTime();
    expect(Math.round((ends - Date.now()) / 86_400_000)).toBe(20);
    expect(answer.text + (await call("GET", path, { token })).text).not.toContain("PRIVATE KEY");
    const [row] = await sql<{ private_key: Buffer }>(
      `SELECT private_key FROM apple_wallet_settings WHERE org_id = $1`,
      [orgId],
    );
    expect(row!.private_key.toString("latin1")).not.toContain("PRIVATE KEY");
    expect(await auditOf(orgId)).toContain("wallet.apple_configured");
  });

  it("is accepted as base64 of DER, with a key that has a passphrase", async () => {
    const { put } = await home();
    const { certificate, privateKey } = await apple.issue();
    const der = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, "");
    const { createPrivateKey } = await import("node:crypto");
    const locked = createPrivateKey(privateKey).export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "open",
    });
    const sent = { certificate: der(certificate), wwdr: der(apple.wwdr), privateKey: locked };
    expect(issues(await put(sent))).toEqual(["/passphrase invalid_type"]);
    expect(issues(await put({ ...sent, passphrase: "wrong" }))).toEqual(["/passphrase invalid_value"]);
    expect((await put({ ...sent, passphrase: "open" })).status).toBe(200);
  });

  it("is accepted with its key in a .p12 file, as Keychain Access exports it", async () => {
    const { put } = await home();
    const issued = await apple.issue();
    const sent = { certificate: issued.certificate, wwdr: apple.wwdr };
    for (const algorithms of ["", "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1"]) {
      const privateKey = (await apple.pkcs12(issued, "open", algorithms)).toString("base64");
      expect(issues(await put({ ...sent, privateKey }))).toEqual(["/passphrase invalid_type"]);
      expect(issues(await put({ ...sent, privateKey, passphrase: "wrong" }))).toEqual(["/passphrase invalid_value"]);
      expect((await put({ ...sent, privateKey, passphrase: "open" })).json()).toMatchObject({ configured: true });
    }
    const another = (await apple.pkcs12(await apple.issue(), "open")).toString("base64");
    expect(issues(await put({ ...sent, privateKey: another, passphrase: "open" }))).toEqual([
      "/privateKey invalid_value",
    ]);
  });

  it("ends the work on a .p12 file that asks for more than 10 seconds of it", async () => {
    const { put } = await home();
    const issued = await apple.issue();
    const file = await apple.pkcs12(issued, "open", "-keypbe NONE -certpbe NONE -iter 65536");
    const privateKey = hashedVeryOften(file).toString("base64");
    const answer = await put({ certificate: issued.certificate, wwdr: apple.wwdr, privateKey, passphrase: "open" });
    expect(issues(answer)).toEqual(["/passphrase invalid_value"]);
    expect((await put({ ...issued, wwdr: apple.wwdr })).status).toBe(200);
  }, 30_000);

  it.each(["PEM", "DER"])(
    "ends the work on an encrypted key in %s that asks for more than 10 seconds of it, outside the web process",
    async (form) => {
      const { put } = await home();
      const { certificate, privateKey } = await apple.issue();
      const { createPrivateKey } = await import("node:crypto");
      const options = { type: "pkcs8", format: "der", cipher: "aes-256-cbc", passphrase: "open" } as const;
      const base64 = hashedForHours(createPrivateKey(privateKey).export(options)).toString("base64");
      const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} ENCRYPTED PRIVATE KEY-----`);
      const sent = form === "DER" ? base64 : [begin, ...base64.match(/.{1,64}/g)!, end].join("\n");
      const answer = await put({ certificate, wwdr: apple.wwdr, privateKey: sent, passphrase: "open" });
      expect(issues(answer)).toEqual(["/passphrase invalid_value"]);
    },
    30_000,
  );

  it("is refused with an issue for each wrong field", async () => {
    const { put } = await home();
    const [mine, wrong, ec, noType, ended] = await Promise.all([
      apple.issue(),
      apple.issue(),
      apple.issue({ key: "ec" }),
      apple.issue({ passTypeId: "com.example.app" }),
      apple.issue({ days: -1 }).catch(() => null),
    ]);
    const wwdr = apple.wwdr;
    expect(issues(await put({ ...mine, privateKey: wrong.privateKey, wwdr }))).toEqual(["/privateKey invalid_value"]);
    expect(issues(await put({ ...mine, wwdr: other.wwdr }))).toEqual(["/wwdr invalid_value"]);
    expect(issues(await put({ ...ec, wwdr }))).toEqual(["/certificate wrong_kind"]);
    expect(issues(await put({ ...noType, wwdr }))).toEqual(["/certificate wrong_kind"]);
    const unreadable = await put({ certificate: "x", privateKey: "x", wwdr: "x" });
    expect(issues(unreadable)).toEqual([
      "/certificate invalid_format",
      "/wwdr invalid_format",
      "/privateKey invalid_format",
    ]);
    // Each says which file to choose.
    const { errors } = unreadable.json<{ errors: { message: string }[] }>();
    expect(errors.map(({ message }) => /choose the \.(cer|key)/.exec(message)?.[1])).toEqual(["cer", "cer", "key"]);
    if (ended) expect(issues(await put({ ...ended, wwdr }))).toContain("/certificate past");
  });

  it("can be replaced by a certificate of the same pass type, and of another type only after it was removed", async () => {
    const { put, token } = await home();
    await put({ ...(await apple.issue()), wwdr: apple.wwdr });
    expect((await put({ ...(await apple.issue({ days: 25 })), wwdr: apple.wwdr })).status).toBe(200);
    const another = { ...(await apple.issue({ passTypeId: "pass.test.example.other" })), wwdr: apple.wwdr };
    expect((await put(another)).json()).toMatchObject({ status: 409, code: "passes_issued" });
    expect((await call("DELETE", path, { token })).status).toBe(204);
    expect((await put(another)).json()).toMatchObject({ configured: true, passTypeId: "pass.test.example.other" });
  });

  it("is reported as a problem once it has expired", async () => {
    const { put, at } = await home();
    await put({ ...(await apple.issue({ days: 20 })), wwdr: apple.wwdr });
    const later = at(new Date(Date.now() + 21 * 86_400_000));
    expect(await getAppleSettings(later, {})).toMatchObject({
      problem: expect.stringContaining("The certificate has expired"),
    });
  });
});
