import { verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readFragment, readClaims } from "@/server/credentials/statement";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { resumeCredential } from "@/server/credentials/resume";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { getIssuer } from "@/server/issuers/get";
import type { IssuerProfile } from "@/server/issuers/profile";
import { revokeIssuerKey } from "@/server/issuers/revoke-key";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import { getOrganisation } from "@/server/organisations/get";
import { updateOrganisation } from "@/server/organisations/update";
import { signedBytes } from "@/server/standards/cose/sign1";
import { readMultikey } from "@/server/standards/encoding/multikey";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { getSubject } from "@/server/subjects/get";
import { upsertSubject } from "@/server/subjects/upsert";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { sql } from "@/server/testing/sql";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { loadPassFacts } from "@/server/wallets/load-pass-facts";
import { barcodesOf } from "@/server/wallets/apple/barcodes";
import { passObject } from "@/server/wallets/google/pass-object";
import { loadPublicPage } from "./public-page";

const look = () => ({ via: "page", viewer: "test", now: new Date(), isVisit: false }) as const;
const textOf = async (code: string) => (await loadPublicPage(code, look())).scanText;
const profileOf = async (w: World) => {
  const { slug } = await getOrganisation(w.ctx, {});
  return (await call("GET", `/public/issuers/${slug}`)).json<IssuerProfile>();
};

/** The content of the QR code, if its signature is valid under one of the issuer's published keys; else null. */
async function statementOf(w: World, code: string) {
  const [, fragment] = (await textOf(code)).split("#");
  if (fragment === undefined) return null;
  const signed = readFragment(fragment)!;
  const { keys } = await profileOf(w);
  const key = keys.find(({ publicKeyMultibase }) =>
    verify(null, signedBytes(signed), readMultikey(publicKeyMultibase), signed.signature),
  );
  return { ...readClaims(signed.payload)!, signedBy: key?.status };
}

async function isListed(w: World, purpose: "revocation" | "suspension", index: number) {
  const url = new URL((await profileOf(w)).statusLists[purpose]);
  const { credentialSubject } = (await call("GET", url.pathname)).json<{
    credentialSubject: { encodedList: string };
  }>();
  return Bitstring.decode(credentialSubject.encodedList).get(index) === 1;
}

const design = { signedQr: true };

describe("the QR code of a credential whose template asks for a signed one", () => {
  it("is the link, #, and the statement that the issuer's key signed, in capitals", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { name: "Library card", design });
    const card = await issued(w.ctx, templateId, { expiresAt: "2040-01-01T00:00:00.000Z" });
    const text = await textOf(card.code);
    expect(text).toMatch(/^[A-Z0-9:/.-]+\/C\/[0-9A-Z-]{19}#[A-Z2-7]+$/);
    expect(text.split("#")[0]).toBe(card.verifyUrl.toUpperCase());
    expect(await statementOf(w, card.code)).toEqual({
      issuer: (await getOrganisation(w.ctx, {})).slug,
      code: card.code.replaceAll("-", ""),
      kind: "membership",
      title: "Library card",
      name: "Ada Lovelace",
      index: expect.any(Number),
      validFrom: wholeSeconds(card.validFrom),
      issuedAt: wholeSeconds(card.issuedAt!),
      expiresAt: new Date("2040-01-01T00:00:00Z"),
      signedBy: "active",
    });
    // The bytes are the same each time, so that passes and files are not renewed for nothing.
    expect(await textOf(card.code)).toBe(text);
  });

  it("is listed as revoked after an end that is earlier than the one in the code", async () => {
    const w = await world();
    const token = await w.key();
    const { id: templateId } = await publishedTemplate(w.ctx, { name: "Library card", design });
    const terms = { expiresAt: "2040-01-01T00:00:00.000Z" };
    const [shortened, natural] = [await issued(w.ctx, templateId, terms), await issued(w.ctx, templateId, terms)];
    const printed = (await statementOf(w, shortened.code))!;
    const other = (await statementOf(w, natural.code))!;
    const body = { expiresAt: "2039-01-01T00:00:00.000Z" };
    expect((await call("PATCH", `/v1/credentials/${shortened.id}`, { token, body })).status).toBe(200);
    expect(await isListed(w, "revocation", printed.index!)).toBe(false);
    await sql(`UPDATE status_lists SET signed_at = now() - interval '1 hour' WHERE org_id = $1`, [w.orgId]);
    await sql(`UPDATE credentials SET expires_at = now() - interval '1 second' WHERE org_id = $1`, [w.orgId]);
    expect(await isListed(w, "revocation", printed.index!)).toBe(true);
    expect(await isListed(w, "revocation", other.index!)).toBe(false);
    expect((await call("GET", `/public/verify?code=${shortened.code}`)).json()).toMatchObject({ reason: "expired" });
  });

  it("is the same on the passes for phones", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, {
      design: { ...design, wallet: { apple: true, google: true } },
    });
    const { code } = await issued(w.ctx, templateId);
    const facts = await loadPassFacts(code, new Date());
    const text = await textOf(code);
    expect(text).toContain("#");
    expect(barcodesOf(facts)).toMatchObject([{ format: "PKBarcodeFormatQR", message: text }]);
    expect(passObject(facts).barcode).toMatchObject({ type: "QR_CODE", value: text });
  });

  it("is only the link for every other template", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx);
    const card = await issued(w.ctx, templateId);
    expect(await textOf(card.code)).toBe(card.verifyUrl.toUpperCase());
  });

  it("names nobody if the template hides the name", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { design: { ...design, publicName: false } });
    const { code } = await issued(w.ctx, templateId);
    expect(await statementOf(w, code)).toMatchObject({ name: "" });
  });

  it("is drawn again after a change of the name, and is only the link after the credential has ended", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { design });
    const { id, code, subjectId, verifyUrl } = await issued(w.ctx, templateId);
    const { externalId } = (await upsertedName(w, subjectId, "Ada King")).subject;
    expect(await statementOf(w, code)).toMatchObject({ name: "Ada King" });
    await revokeCredential(w.ctx, { id, reason: "Left" });
    await upsertSubject(w.ctx, { externalId, displayName: "Ada Byron" });
    expect(await textOf(code)).toBe(verifyUrl.toUpperCase());
  });

  it("is only the link after its holder was erased", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { kind: "academic", design });
    const { code, subjectId, verifyUrl } = await issued(w.ctx, templateId);
    expect(await statementOf(w, code)).toMatchObject({ name: "Ada Lovelace", kind: "academic" });
    await eraseSubject(w.ctx, { id: subjectId, reason: "Asked for" });
    expect(await textOf(code)).toBe(verifyUrl.toUpperCase());
  });

  it("is signed by the new key after a rotation, and the old key's signatures are still valid under a published key", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { design });
    const { code } = await issued(w.ctx, templateId);
    const before = readFragment((await textOf(code)).split("#")[1]!)!;
    await rotateIssuerKey(w.ctx, {});
    expect(await statementOf(w, code)).toMatchObject({ signedBy: "active" });
    const { keys } = await profileOf(w);
    const fitting = keys.filter(({ publicKeyMultibase }) =>
      verify(null, signedBytes(before), readMultikey(publicKeyMultibase), before.signature),
    );
    expect(fitting.map(({ status }) => status)).toEqual(["retired"]);
  });
});

describe("the status lists of a card with a signed QR code", () => {
  it("show that it was suspended, resumed and revoked", async () => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { design });
    const { id, code } = await issued(w.ctx, templateId);
    const { index } = (await statementOf(w, code))!;
    const both = async () => [await isListed(w, "suspension", index), await isListed(w, "revocation", index)];
    expect(await both()).toEqual([false, false]);
    await suspendCredential(w.ctx, { id, reason: "Fees" });
    expect(await both()).toEqual([true, false]);
    await resumeCredential(w.ctx, { id });
    expect(await both()).toEqual([false, false]);
    await revokeCredential(w.ctx, { id, reason: "Lost" });
    expect(await both()).toEqual([false, true]);
  });
});

describe("GET /public/issuers/{slug}", () => {
  it("returns name, keys and lists, and 404 for an unknown issuer", async () => {
    const w = await world();
    const { slug, name } = await getOrganisation(w.ctx, {});
    const answer = await call("GET", `/public/issuers/${slug}`);
    expect(answer.json()).toMatchObject({
      object: "issuer_profile",
      slug,
      name,
      nameVerified: true,
      did: expect.stringMatching(new RegExp(`^did:web:.*:${slug}$`)),
      keys: [{ status: "active" }, { status: "next" }],
      statusLists: { revocation: expect.stringMatching(new RegExp(`/public/status/${slug}/revocation$`)) },
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({ "access-control-allow-origin": "*" });
    await updateOrganisation(w.ctx, { name: "Another name" });
    expect(await profileOf(w)).toMatchObject({ name: "Another name", nameVerified: false });
    expect((await call("GET", `/public/issuers/nobody-${slug}`)).status).toBe(404);
  });

  it("shows that a key was revoked", async () => {
    const w = await world();
    const { keys } = await profileOf(w);
    const [first] = (await getIssuer(w.ctx, {})).keys;
    await revokeIssuerKey(w.ctx, { id: first!.id });
    const after = (await profileOf(w)).keys;
    expect(after.find(({ publicKeyMultibase }) => publicKeyMultibase === keys[0]!.publicKeyMultibase)?.status).toBe(
      "revoked",
    );
  });
});

const wholeSeconds = (time: string) => new Date(Math.floor(Date.parse(time) / 1000) * 1000);

async function upsertedName(w: World, subjectId: string, displayName: string) {
  const { externalId } = await getSubject(w.ctx, { id: subjectId });
  return upsertSubject(w.ctx, { externalId, displayName });
}
