import { setImmediate } from "node:timers/promises";
import { signBatch } from "@/server/standards/batch-signing/sign-batch";
import { SigningTemplate } from "@/server/standards/batch-signing/signing-template";
import { filled, slot } from "@/server/standards/batch-signing/slots";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { eddsaRdfc2022 } from "@/server/standards/data-integrity/eddsa-rdfc-2022";
import type { JsonObject } from "@/server/standards/json";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { statusEntry, statusListCredential } from "@/server/standards/status-list/list-credential";
import { badge, keyIssuer } from "@/server/standards/testing/issuer";
import { librarySigns, libraryVerifies } from "@/server/standards/testing/library";
import { verifyCredential } from "@/server/standards/verify/verify-credential";
import * as ed25519Multikey from "@digitalbazaar/ed25519-multikey";
import type { Benchmark } from "./benchmark";
import { inTurns, ownCpuTime, pace, timings } from "./measure";

// The measured calls never wait for I/O. Without a pause between batches, timers would not run and the measurement
// would not end.
const batch = 500;
const entries = 1_048_576;
const created = new Date("2026-01-31T00:00:00Z");

/**
 * Open Badges 3.0 in this process: signing a batch of badges, verifying a badge, and a large status list. No server and
 * no database.
 */
export const signing: Benchmark = async function* (_, { seconds }) {
  const issuer = keyIssuer();
  const status = statusEntry("https://example.edu/status/revocation", "revocation", 1);
  const document = badge(issuer.did, {
    id: slot("url", "id"),
    name: slot("text", "title"),
    credentialSubject: { ...(badge(issuer.did)["credentialSubject"] as JsonObject), id: slot("url", "holder") },
    credentialStatus: [{ ...status, id: slot("url", "statusId"), statusListIndex: slot("text", "index") }],
  });
  const valuesOf = (n: number) => ({
    id: `urn:uuid:00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    title: `Bachelor of Science ${n}`,
    holder: `did:example:${n}`,
    statusId: `https://example.edu/status/revocation#${n}`,
    index: String(n),
  });
  const template = await SigningTemplate.compile(document);
  const alone = (work: (n: number) => Promise<unknown>) => () => pace(1, seconds, ownCpuTime, (_lane, n) => work(n));
  const batches = alone((n) =>
    signBatch(
      template,
      Array.from({ length: batch }, (_, i) => valuesOf(n * batch + i)),
      issuer,
      created,
    ),
  );
  const key = await ed25519Multikey.generate({});
  key.controller = `did:key:${key.publicKeyMultibase}`;
  key.id = `${key.controller}#${key.publicKeyMultibase}`;
  const byLibrary = (n: number) => ({ ...(filled(document, valuesOf(n)) as JsonObject), issuer: key.controller! });
  const [ours, library] = await inTurns(
    3,
    batches,
    alone((n) => librarySigns(byLibrary(n), "eddsa-rdfc-2022", key).then(() => setImmediate())),
  );
  yield {
    name: "credentials signed in batches of 500, a sample verified",
    value: ours.rate * batch,
    unit: "credentials/s",
    reference: { name: "Digital Bazaar's library, one by one", value: library.rate },
    target: { min: 20 },
  };

  const signed = await signDocument(badge(issuer.did), eddsaRdfc2022, issuer, { created });
  const surroundings = { now: new Date(), request: () => Promise.reject(new Error("Nothing is fetched here.")) };
  const [verified, verifiedByLibrary] = await inTurns(
    3,
    alone(() => verifyCredential(signed, surroundings).then(() => setImmediate())),
    alone(() => libraryVerifies(signed, "eddsa-rdfc-2022").then(() => setImmediate())),
  );
  yield {
    name: "a signed credential verified, all checks",
    value: verified.rate,
    unit: "credentials/s",
    reference: { name: "Digital Bazaar's library", value: verifiedByLibrary.rate },
    target: { min: 0.9 },
  };

  const indexes = Array.from({ length: entries / 100 }, () => Math.floor(Math.random() * entries));
  const rebuilt = await timings(50, async () => {
    const list = Bitstring.ofLength(entries);
    for (const index of indexes) list.set(index, true);
    const unsigned = statusListCredential(list, {
      url: "https://example.edu/status/revocation",
      issuer: issuer.did,
      purpose: "revocation",
      validFrom: created,
      validUntil: new Date("2026-02-01T00:00:00Z"),
      ttlMs: 300_000,
    });
    return signDocument(unsigned, eddsaRdfc2022, issuer, { created });
  });
  yield {
    name: "list of 1,048,576 entries, 1 % of them set, rebuilt and signed",
    value: rebuilt.p50,
    unit: "ms",
    target: { max: 50 },
  };
};
