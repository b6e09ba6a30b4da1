import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeCredential } from "@/server/credentials/revoke";
import { startDnsServer, type DnsServer } from "@/server/outbound/testing/dns-server";
import { createTxtRecords } from "@/server/outbound/txt-records";
import { startWeb, type TestWeb } from "@/server/standards/testing/web";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { getIssuer } from "../get";
import { revokeIssuerKey } from "../revoke-key";
import { checkDomain, dnsProof } from "./check-domain";
import { removeIssuerDomain } from "./remove-domain";
import { setIssuerDomain } from "./set-domain";

let names = 0;
const newDomain = () => `credentials-${process.pid}-${++names}.example.edu`;
const at = (host: string, path = "/.well-known/did.json") => call("GET", path, { headers: { host } });
const publicVerify = async (credential: object) =>
  (await call("POST", "/public/verify", { body: { credential } })).json<{
    result: string;
    reason: string | null;
    checks: { name: string; outcome: string; detail: string }[];
    credential: { issuer: { did: string; slug: string; domain: string | null; domainVerified: boolean } };
  }>();

/** Sets a domain and makes it active, as a successful check does. */
async function active(w: World, domain = newDomain()): Promise<string> {
  await setIssuerDomain(w.ctx, { domain });
  await activate(w, domain);
  return domain;
}
const activate = ({ orgId }: World, domain: string) =>
  sql(`UPDATE issuer_domains SET activated_at = now() WHERE org_id = $1 AND domain = $2`, [orgId, domain]);

async function degree(w: World) {
  const { id: templateId } = await publishedTemplate(w.ctx, { kind: "academic" });
  const credential = await issued(w.ctx, templateId);
  const token = await w.key();
  const document = async () =>
    (await call("GET", `/v1/credentials/${credential.id}/credential.json`, { token })).json<{
      issuer: { id: string };
      credentialStatus: { statusListCredential: string }[];
    }>();
  return { credential, document };
}

describe("checking a domain", () => {
  let dns: DnsServer;
  let web: TestWeb;
  beforeAll(async () => {
    [dns, web] = await Promise.all([startDnsServer({}), startWeb()]);
  });
  afterAll(() => Promise.all([dns.close(), web.close()]));

  it("requires the TXT record, then the DID document with the signing key, and says which is missing", async () => {
    const domain = new URL(web.origin).host;
    const claim = { domain, challenge: "c-1", publicKey: "z6MkKey" };
    const { dnsName, dnsValue } = dnsProof(claim);
    const check = () =>
      checkDomain(claim, { ...web.surroundings(), txtRecords: createTxtRecords({ servers: dns.servers }) });
    expect(await check()).toContain(`no TXT record of ${dnsName}`);
    dns.texts.set(dnsName, "bonafide-issuer=of-somebody-else");
    expect(await check()).toContain("no TXT record");
    dns.texts.set(dnsName, dnsValue);
    expect(await check()).toContain("404");
    const did = web.did();
    const page = (document: object) =>
      web.pages.set("/.well-known/did.json?challenge=c-1", { body: JSON.stringify(document) });
    page({ id: did, assertionMethod: [`${did}#z6MkOther`] });
    expect(await check()).toContain("serves another document");
    page({ id: did, assertionMethod: [`${did}#z6MkKey`] });
    expect(await check()).toBeNull();
  });
});

describe("a domain of the organisation", () => {
  it("is set with its required proof, and signs nothing before it is verified", async () => {
    const w = await world();
    const token = await w.key("settings:write");
    const domain = newDomain();
    const named = await call("PUT", "/v1/issuer/domain", { token, body: { domain: domain.toUpperCase() } });
    expect(named.status).toBe(200);
    expect(named.json()).toMatchObject({
      did: (await getIssuer(w.ctx, {})).serviceDid,
      domain: { domain, status: "pending", dnsName: `_bonafide-issuer.${domain}`, problem: null },
    });
    const { document } = await degree(w);
    expect((await document()).issuer.id).toBe((await getIssuer(w.ctx, {})).serviceDid);
    expect((await at(domain)).status).toBe(404);
  });

  it("can be replaced while it is pending, but not once it is active", async () => {
    const w = await world();
    const token = await w.key("settings:write");
    const [mistyped, right] = [newDomain(), newDomain()];
    const put = (domain: string) => call("PUT", "/v1/issuer/domain", { token, body: { domain } });
    expect((await put(mistyped)).status).toBe(200);
    const answer = await put(right);
    expect([answer.status, answer.json()]).toEqual([
      200,
      expect.objectContaining({ domain: expect.objectContaining({ domain: right, status: "pending" }) }),
    ]);
    expect(await sql(`SELECT domain FROM issuer_domains WHERE org_id = $1`, [w.orgId])).toEqual([{ domain: right }]);
    await activate(w, right);
    const other = await put(mistyped);
    expect([other.status, other.json()["code"]]).toEqual([409, "domain_exists"]);
  });

  it.each(["localhost", "127.0.0.1", "example.edu/path", "user@example.edu", "-x.example.edu", "", "localhost:3000"])(
    "is refused as %j, with a pointer",
    async (domain) => {
      const w = await world();
      const answer = await call("PUT", "/v1/issuer/domain", { token: await w.key("settings:write"), body: { domain } });
      expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
        400,
        "/domain",
      ]);
    },
  );

  it("stays pending without proof, and the answer says what is missing", async () => {
    const w = await world();
    const token = await w.key("settings:write");
    await setIssuerDomain(w.ctx, { domain: "nothing.invalid" });
    const checked = await call("POST", "/v1/issuer/domain/verify", { token, body: {} });
    expect([checked.status, checked.json()["domain"]]).toMatchObject([
      200,
      { status: "pending", problem: expect.stringContaining("_bonafide-issuer.nothing.invalid") },
    ]);
  });

  it("serves the DID document at its own host only", async () => {
    const w = await world();
    const domain = await active(w);
    const { did, serviceDid, keys } = await getIssuer(w.ctx, {});
    expect(did).toBe(`did:web:${domain}`);
    const answer = await at(domain);
    expect(answer.json()).toMatchObject({
      id: did,
      alsoKnownAs: [serviceDid],
      assertionMethod: keys.map(({ verificationMethod }) => verificationMethod),
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await at("elsewhere.example.edu")).status).toBe(404);
  });

  it("shows the document of a domain in verification only to a client that knows its challenge", async () => {
    const w = await world();
    const domain = newDomain();
    const { domain: claim } = await setIssuerDomain(w.ctx, { domain });
    const challenge = claim!.dnsValue.replace("bonafide-issuer=", "");
    expect((await at(domain, "/.well-known/did.json?challenge=wrong")).status).toBe(404);
    expect((await at(domain, `/.well-known/did.json?challenge=${challenge}`)).json()).toMatchObject({
      id: `did:web:${domain}`,
    });
  });

  it("signs documents and lists after its verification, and earlier ones stay valid", async () => {
    const w = await world();
    const { credential, document } = await degree(w);
    const before = await document();
    const domain = await active(w);
    const after = await document();
    expect(after.issuer.id).toBe(`did:web:${domain}`);
    expect(after.credentialStatus[0]!.statusListCredential).toMatch(new RegExp(`/revocation/${domain}$`));
    for (const [each, of] of [
      [before, null],
      [after, domain],
    ] as const)
      expect(await publicVerify(each)).toMatchObject({
        result: "valid",
        credential: { issuer: { did: each.issuer.id, domain: of, domainVerified: of !== null } },
      });
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    for (const each of [before, after])
      expect(await publicVerify(each)).toMatchObject({ result: "invalid", reason: "revoked" });
    const byCode = (await call("GET", `/public/credentials/${credential.code}`)).json<{
      credential: { issuer: object };
    }>();
    expect(byCode.credential.issuer).toMatchObject({ domain, domainVerified: true });
  });

  it("signs nothing after its removal, and its earlier signatures stay valid while it points here", async () => {
    const w = await world();
    const { credential, document } = await degree(w);
    const domain = await active(w);
    const signed = await document();
    const removed = await removeIssuerDomain(w.ctx, {});
    expect([removed.did, removed.domain]).toEqual([removed.serviceDid, null]);
    expect((await document()).issuer.id).toBe(removed.serviceDid);
    expect(await publicVerify(signed)).toMatchObject({ result: "valid" });
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    expect(await publicVerify(signed)).toMatchObject({ result: "invalid", reason: "revoked" });
    // The domain may change hands; then the newer organisation's document is served.
    const heir = await world();
    await active(heir, domain);
    expect((await at(domain)).json()["assertionMethod"]).toEqual(
      (await getIssuer(heir.ctx, {})).keys.map(({ verificationMethod }) => verificationMethod),
    );
  });

  it("is verified with its present keys: after a key was revoked, and after the domain changed hands", async () => {
    const w = await world();
    const domain = await active(w);
    const { document } = await degree(w);
    const stolen = await document();
    // Several times, so that each worker process has loaded the DID document.
    for (let i = 0; i < 4; i++) expect(await publicVerify(stolen)).toMatchObject({ result: "valid" });
    const { keys } = await getIssuer(w.ctx, {});
    await revokeIssuerKey(w.ctx, { id: keys.find(({ status }) => status === "active")!.id });
    const signedAnew = await document();
    for (let i = 0; i < 4; i++) {
      expect(await publicVerify(stolen)).toMatchObject({ result: "invalid", reason: "signature_invalid" });
      expect(await publicVerify(signedAnew)).toMatchObject({ result: "valid" });
    }
    await removeIssuerDomain(w.ctx, {});
    expect(await publicVerify(signedAnew)).toMatchObject({ result: "valid" });
    await active(await world(), domain);
    for (let i = 0; i < 4; i++)
      expect(await publicVerify(signedAnew)).toMatchObject({ result: "invalid", reason: "signature_invalid" });
  });

  it("belongs to one organisation at a time", async () => {
    const [w, other] = [await world(), await world()];
    const domain = await active(w);
    await setIssuerDomain(other.ctx, { domain });
    await expect(activate(other, domain)).rejects.toThrow("issuer_domains_active_idx");
    expect((await at(domain)).json()["alsoKnownAs"]).toEqual([(await getIssuer(w.ctx, {})).serviceDid]);
  });
});
