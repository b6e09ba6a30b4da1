import { verifyCredential as verifyWithDcc } from "@digitalcredentials/verifier-core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readId } from "@/server/core/ids";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import { badge } from "@/server/standards/testing/issuer";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { rotateIssuerKey } from "../rotate-key";
import { signingKeyOf } from "../signing-key";
import { statusEntriesOf, statusPlacesOf } from "./entries";

// The verifier's requests are answered by this service's own routes; there are no other hosts.
let asked: string[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const request = new Request(input);
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/public/")) throw new Error("There is no network in tests.");
    asked.push(pathname);
    const answer = await call("GET", pathname, { headers: { accept: request.headers.get("accept") ?? "*/*" } });
    return new Response(answer.bytes, { status: answer.status, headers: answer.headers });
  });
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function signedBadge({ ctx }: World) {
  const template = await publishedTemplate(ctx, { kind: "academic" });
  const { id } = await issued(ctx, template.id);
  const place = (await statusPlacesOf(ctx, [readId("crd", id)])).get(readId("crd", id))!;
  const key = await signingKeyOf(ctx);
  const document = badge(key.did, { credentialStatus: statusEntriesOf(place) });
  const created = new Date();
  return {
    id,
    slug: place.slug,
    credential: await signDocument(document, suiteOf("eddsa-rdfc-2022")!, key, { created }),
  };
}

async function judged(credential: object) {
  const { log, errors } = await verifyWithDcc({ credential: credential as never, knownDIDRegistries: [] });
  return { errors, ...Object.fromEntries(log!.map(({ id, valid, error }) => [id, error ?? valid])) };
}

it("the DCC's verifier finds our keys and reads our lists, through a suspension and a revocation", async () => {
  const w = await world();
  const { id, slug, credential } = await signedBadge(w);
  expect(await judged(credential)).toMatchObject({ valid_signature: true, revocation_status: true });
  expect(new Set(asked)).toEqual(
    new Set([
      `/public/issuers/${slug}/did.json`,
      `/public/status/${slug}/revocation`,
      `/public/status/${slug}/suspension`,
    ]),
  );
  await suspendCredential(w.ctx, { id, reason: "Fees" });
  expect(await judged(credential)).toMatchObject({ suspension_status: false });
  await resumeCredential(w.ctx, { id });
  expect(await judged(credential)).toMatchObject({ valid_signature: true, revocation_status: true });
  await revokeCredential(w.ctx, { id, reason: "Plagiarism" });
  expect(await judged(credential)).toMatchObject({ revocation_status: false });
});

it("the DCC's verifier, which caches DID documents, accepts signatures of a retired key, and lists and credentials of the new key", async () => {
  const w = await world();
  const before = await signedBadge(w);
  expect(await judged(before.credential)).toMatchObject({ valid_signature: true, revocation_status: true });
  await rotateIssuerKey(w.ctx, {});
  for (const { credential } of [before, await signedBadge(w)])
    expect(await judged(credential)).toMatchObject({ valid_signature: true, revocation_status: true });
});
