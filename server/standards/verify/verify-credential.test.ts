import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signDocument } from "../data-integrity/sign-document";
import { suiteOf } from "../data-integrity/suites";
import { signJwt } from "../jose/sign-jwt";
import type { JsonObject } from "../json";
import { Bitstring, minEntries } from "../status-list/bitstring";
import { statusEntry, statusListCredential } from "../status-list/list-credential";
import { badge, didDocument, keyIssuer, type TestIssuer } from "../testing/issuer";
import { offline, startWeb, type TestWeb } from "../testing/web";
import { isValid, verifyCredential } from "./verify-credential";

const rdfc = suiteOf("eddsa-rdfc-2022")!;
const now = new Date("2026-06-01T00:00:00Z");
const created = new Date("2026-01-31T00:00:00Z");
const outcomes = ({ checks }: Awaited<ReturnType<typeof verifyCredential>>) =>
  Object.fromEntries(checks.map(({ name, outcome, reason }) => [name, reason ? `${outcome} ${reason}` : outcome]));

describe("a credential of a did:key issuer", () => {
  const issuer = keyIssuer();

  it("passes each check, and nothing is fetched", async () => {
    const signed = await signDocument(badge(issuer.did), rdfc, issuer, { created });
    const verified = await verifyCredential(signed, offline(now));
    expect(outcomes(verified)).toEqual({
      format: "pass",
      issuer: "pass",
      signature: "pass",
      issuer_identity: "skipped",
      vocabulary: "pass",
      validity_period: "pass",
      status: "skipped",
    });
    expect(isValid(verified)).toBe(true);
  });

  it.each(["eddsa-rdfc-2022", "eddsa-jcs-2022"])("is refused after any change, under %s", async (name) => {
    const signed = await signDocument(badge(issuer.did), suiteOf(name)!, issuer, { created });
    expect(isValid(await verifyCredential(signed, offline(now)))).toBe(true);
    for (const change of [
      { name: "Doctor of Science" },
      { validFrom: "2025-01-31T00:00:00Z" },
      { id: "urn:uuid:0d6e1e2c-1f59-4f1e-9a57-5f3a61a2c5a2" },
    ]) {
      expect(outcomes(await verifyCredential({ ...signed, ...change }, offline(now)))).toMatchObject({
        signature: "fail signature_invalid",
      });
    }
  });

  it("holds under eddsa-jcs-2022 if a context was added behind those of the proof (section 3.3.2, step 4)", async () => {
    const jcs = suiteOf("eddsa-jcs-2022")!;
    const signed = await signDocument(badge(issuer.did), jcs, issuer, { created });
    const contexts = signed["@context"] as string[];
    const more = { ...signed, "@context": [...contexts, "https://www.w3.org/ns/credentials/examples/v2"] };
    expect(outcomes(await verifyCredential(more, offline(now)))).toMatchObject({ signature: "pass" });
    const fewer = { ...signed, "@context": contexts.slice(0, 1) };
    expect(outcomes(await verifyCredential(fewer, offline(now)))).toMatchObject({
      signature: "fail signature_invalid",
    });
  });

  it.each([
    ["domain", 5],
    ["domain", {}],
    ["domain", [5]],
    ["challenge", 5],
    ["nonce", 5],
  ])("is refused if the %s of its proof is %j", async (name, value) => {
    const signed = await signDocument(badge(issuer.did), rdfc, issuer, { created });
    const proof = [{ ...signed.proof[0], [name]: value }];
    const { checks } = await verifyCredential({ ...signed, proof } as JsonObject, offline(now));
    expect(checks.find((check) => check.name === "signature")).toMatchObject({
      outcome: "fail",
      detail: expect.stringContaining(`The proof's ${name} is`),
    });
  });

  it.each([
    ["P-256", "ES256"],
    ["ed25519", "EdDSA"],
    ["P-384", "ES384"],
  ] as const)("passes as a JWT of a %s key (%s)", async (kind, alg) => {
    const signer = keyIssuer(kind);
    const jwt = await signJwt(badge(signer.did), "vc", signer);
    expect(decodeProtectedHeader(jwt)).toEqual({ alg, kid: signer.verificationMethod, typ: "vc+jwt", cty: "vc" });
    expect(outcomes(await verifyCredential(jwt, offline(now)))).toMatchObject({
      signature: "pass",
      vocabulary: "pass",
    });
    const [header, , signature] = jwt.split(".");
    const forged = `${header}.${Buffer.from(JSON.stringify(badge(signer.did, { name: "Doctor" }))).toString("base64url")}.${signature}`;
    expect(outcomes(await verifyCredential(forged, offline(now)))).toMatchObject({
      signature: "fail signature_invalid",
      status: "skipped",
    });
  });

  it("is not yet valid before validFrom, and expired after validUntil", async () => {
    const signed = await signDocument(badge(issuer.did, { validUntil: "2027-01-31T00:00:00Z" }), rdfc, issuer, {
      created,
    });
    const at = async (time: string) =>
      outcomes(await verifyCredential(signed, offline(new Date(time))))["validity_period"];
    expect([
      await at("2026-01-30T23:59:59Z"),
      await at("2026-01-31T00:00:00Z"),
      await at("2027-01-31T00:00:00Z"),
      await at("2027-01-31T00:00:01Z"),
    ]).toEqual(["fail not_yet_valid", "pass", "pass", "fail expired"]);
  });
});

describe("the validity period of a credential", () => {
  const issuer = keyIssuer();
  const at = (time: string) => offline(new Date(time));
  const period = async (sent: string | JsonObject, time: string) =>
    outcomes(await verifyCredential(sent, at(time)))["validity_period"];

  it("includes the instant of validUntil (VCDM 2.0)", async () => {
    const signed = await signDocument(badge(issuer.did, { validUntil: "2027-01-31T00:00:00Z" }), rdfc, issuer, {
      created,
    });
    expect(await period(signed, "2027-01-31T00:00:00.000Z")).toBe("pass");
    expect(await period(signed, "2027-01-31T00:00:00.001Z")).toBe("fail expired");
  });

  it("excludes the instant of exp (RFC 7519), even if validUntil is the same", async () => {
    const exp = Date.parse("2027-01-31T00:00:00Z") / 1000;
    for (const more of [{}, { validUntil: "2027-01-31T00:00:00Z" }]) {
      const jwt = await signJwt({ ...badge(issuer.did, more), exp }, "vc", issuer);
      expect(await period(jwt, "2027-01-30T23:59:59.999Z")).toBe("pass");
      expect(await period(jwt, "2027-01-31T00:00:00.000Z")).toBe("fail expired");
    }
  });
});

describe("a credential of a did:web issuer with a status", () => {
  let web: TestWeb;
  let issuer: TestIssuer;
  let signed: JsonObject;
  let number = 0;
  const list = Bitstring.ofLength(minEntries);

  beforeAll(async () => {
    web = await startWeb();
    const key = keyIssuer();
    const did = web.did(":issuers:uni");
    issuer = { ...key, did, verificationMethod: `${did}#key-1` };
    web.pages.set("/issuers/uni/did.json", { body: JSON.stringify(didDocument(did, key)) });
    const statuses = [
      statusEntry(`${web.origin}/revocation`, "revocation", 7),
      statusEntry(`${web.origin}/suspension`, "suspension", 8),
    ];
    signed = await signDocument(badge(did, { credentialStatus: statuses }), rdfc, issuer, { created });
  });
  afterAll(() => web.close());

  async function publish(
    purpose: "revocation" | "suspension",
    bits = list,
    more: JsonObject = {},
    signer: TestIssuer = issuer,
  ) {
    const listCredential = statusListCredential(bits, {
      url: `${web.origin}/${purpose}`,
      issuer: signer.did,
      purpose,
      validFrom: created,
      validUntil: new Date("2026-07-01T00:00:00Z"),
      ttlMs: 300_000,
    });
    const body = JSON.stringify(await signDocument({ ...listCredential, ...more }, rdfc, signer, { created }));
    web.pages.set(`/${purpose}`, { type: "application/vc", body });
  }
  const verified = async (time = now) =>
    (await verifyCredential(signed, web.surroundings(new Date(time.getTime() + number++)))).checks;
  const statuses = async (time?: Date) =>
    (await verified(time))
      .filter(({ name }) => name === "status")
      .map(({ outcome, reason }) => `${outcome} ${reason ?? ""}`.trim());

  it("passes while no bit is set, and is refused as soon as one is", async () => {
    await publish("revocation");
    await publish("suspension");
    expect(await statuses()).toEqual(["pass", "pass"]);
    const revoked = Bitstring.ofLength(minEntries);
    revoked.set(7, true);
    await publish("revocation", revoked);
    expect(await statuses()).toEqual(["fail revoked", "pass"]);
    const suspended = Bitstring.ofLength(minEntries);
    suspended.set(8, true);
    await publish("revocation");
    await publish("suspension", suspended);
    expect(await statuses()).toEqual(["pass", "fail suspended"]);
    await publish("suspension");
  });

  const unavailable = ["error status_unavailable", "pass"];
  it.each<[string, () => Promise<unknown>]>([
    ["does not answer", async () => web.pages.delete("/revocation")],
    ["is no JSON", async () => web.pages.set("/revocation", { body: "<html>" })],
    ["is signed by somebody else", () => publish("revocation", list, {}, keyIssuer())],
    [
      "was changed after it was signed",
      async () => {
        await publish("revocation");
        const page = web.pages.get("/revocation")!;
        web.pages.set("/revocation", { ...page, body: (page.body as string).replace("2026-07-01", "2026-08-01") });
      },
    ],
    ["has expired", () => publish("revocation", list, { validUntil: "2026-05-31T00:00:00Z" })],
    [
      "has expired as its token says",
      async () => {
        const credential = statusListCredential(list, {
          url: `${web.origin}/revocation`,
          issuer: issuer.did,
          purpose: "revocation",
          validFrom: created,
          validUntil: new Date("2026-07-01T00:00:00Z"),
          ttlMs: 300_000,
        });
        web.pages.set("/revocation", {
          type: "application/vc+jwt",
          body: await signJwt({ ...credential, exp: created.getTime() / 1000 + 60 }, "vc", issuer),
        });
      },
    ],
    ["is not valid yet", () => publish("revocation", list, { validFrom: "2026-06-02T00:00:00Z" })],
    [
      "is about something else",
      () =>
        publish("revocation", list, {
          credentialSubject: { type: "BitstringStatusList", statusPurpose: "suspension", encodedList: list.encode() },
        }),
    ],
    ["is too short", () => publish("revocation", Bitstring.over(new Uint8Array(minEntries / 8 - 1)))],
    ["is a bomb", () => publish("revocation", Bitstring.over(new Uint8Array(17 * 1024 * 1024)))],
    ["is of another type", () => publish("revocation", list, { type: ["VerifiableCredential"] })],
    [
      "has an entry in the place of the list",
      () =>
        publish("revocation", list, {
          credentialSubject: { type: "BitstringStatusList", statusPurpose: "revocation", encodedList: "uAAAA" },
        }),
    ],
  ])("is indeterminate if the list %s", async (_, arrange) => {
    await arrange();
    expect(await statuses()).toEqual(unavailable);
    await publish("revocation");
    expect(await statuses()).toEqual(["pass", "pass"]);
  });

  it("says of a list that is not signed that the list is not, and nothing of the credential", async () => {
    const { proof: _, ...unsigned } = JSON.parse(web.pages.get("/revocation")!.body as string) as JsonObject;
    web.pages.set("/revocation", { type: "application/vc", body: JSON.stringify(unsigned) });
    const status = (await verified()).find(({ name }) => name === "status");
    expect(status).toMatchObject({
      outcome: "error",
      detail: expect.stringMatching(/^The issuer's status list cannot be relied on\. It is not signed/),
    });
    await publish("revocation");
  });

  it.each<[string, object, string]>([
    ["has no members", {}, "error status_unavailable"],
    ["names no issuer", { revokedCredential: [] }, "error status_unavailable"],
    ["holds no list", { issuer: "own" }, "error status_unavailable"],
    ["is one of the issuer", { issuer: "own", revokedCredential: [] }, "pass"],
  ])("with a 1EdTechRevocationList that %s: %s", async (_, given, expected) => {
    const body = JSON.stringify({ ...given, ...("issuer" in given && { issuer: issuer.did }) });
    web.pages.set("/revoked", { body });
    const credentialStatus = { id: `${web.origin}/revoked`, type: "1EdTechRevocationList" };
    const other = await signDocument(badge(issuer.did, { credentialStatus }), suiteOf("eddsa-jcs-2022")!, issuer, {
      created,
    });
    expect(outcomes(await verifyCredential(other, web.surroundings(now)))).toMatchObject({ status: expected });
  });

  it("has no status fetched if its signature is invalid", async () => {
    web.asked.length = 0;
    const { checks } = await verifyCredential(
      { ...signed, name: "Doctor" },
      web.surroundings(new Date(now.getTime() + 3_600_000)),
    );
    expect(checks.find(({ name }) => name === "status")?.outcome).toBe("skipped");
    expect(web.asked).toEqual(["/issuers/uni/did.json"]);
  });

  it("is indeterminate if the issuer's keys cannot be fetched", async () => {
    const stranger = web.did(":issuers:nobody");
    const other = await signDocument(
      badge(stranger),
      rdfc,
      { ...issuer, verificationMethod: `${stranger}#key-1` },
      { created },
    );
    const { checks } = await verifyCredential(other, web.surroundings(now));
    expect(checks.find(({ name }) => name === "issuer")).toMatchObject({ outcome: "error", reason: "issuer_unknown" });
    expect(checks.find(({ name }) => name === "signature")?.outcome).toBe("skipped");
  });
});
