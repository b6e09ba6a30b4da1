import { beforeAll, describe, expect, it } from "vitest";
import { signDocument } from "../data-integrity/sign-document";
import { suiteOf } from "../data-integrity/suites";
import { canonicalise } from "../json-ld/canonicalise";
import type { Json, JsonObject } from "../json";
import { badge, keyIssuer } from "../testing/issuer";
import { offline } from "../testing/web";
import { verifyCredential } from "./verify-credential";

const issuer = keyIssuer();
const cred = "https://www.w3.org/2018/credentials#";
const dateTime = "http://www.w3.org/2001/XMLSchema#dateTime";
const status: JsonObject = {
  id: "https://example.edu/status/1#7",
  type: "BitstringStatusListEntry",
  statusPurpose: "revocation",
  statusListIndex: "7",
  statusListCredential: "https://example.edu/status/1",
};
const until = "2026-02-01T00:00:00Z";

const sign = (document: JsonObject) =>
  signDocument(document, suiteOf("eddsa-rdfc-2022")!, issuer, { created: new Date("2026-01-31T00:00:00Z") });
const outcome = async (document: JsonObject) => {
  const { checks } = await verifyCredential(document, offline());
  return Object.fromEntries(checks.map(({ name, outcome, reason }) => [name, reason ?? outcome]));
};
const graphOf = ({ proof: _, ...document }: JsonObject) => canonicalise(document);
const contextsOf = (document: JsonObject) => document["@context"] as Json[];

let signed: JsonObject;
beforeAll(async () => {
  signed = await sign(
    inSubject(badge(issuer.did, { validUntil: until, credentialStatus: [status] }), {
      result: [{ type: ["Result"], value: "Fail" }],
    }),
  );
});

const inSubject = (document: JsonObject, more: JsonObject): JsonObject => ({
  ...document,
  credentialSubject: { ...(document["credentialSubject"] as JsonObject), ...more },
});

/**
 * What the holder of a revoked or expired credential could write: the same graph without a name that verification
 * reads.
 */
const disguises: [string, (document: JsonObject) => JsonObject][] = [
  [
    "a status under its IRI",
    ({ credentialStatus, ...rest }) => ({ ...rest, [`${cred}credentialStatus`]: credentialStatus! }),
  ],
  [
    "a status under a name of its own",
    ({ credentialStatus, ...rest }) => ({
      ...rest,
      "@context": [...contextsOf(rest), { note: `${cred}credentialStatus` }],
      note: credentialStatus!,
    }),
  ],
  [
    "a status under a name made of a prefix",
    ({ credentialStatus, ...rest }) => ({
      ...rest,
      "@context": [...contextsOf(rest), { c: cred }, { note: { "@id": "c:credentialStatus" } }],
      note: credentialStatus!,
    }),
  ],
  [
    "a status under a compact IRI",
    ({ credentialStatus, ...rest }) => ({
      ...rest,
      "@context": [...contextsOf(rest), { c: cred }],
      "c:credentialStatus": credentialStatus!,
    }),
  ],
  [
    "a status within @nest",
    ({ credentialStatus, ...rest }) => ({ ...rest, "@nest": { credentialStatus: credentialStatus! } }),
  ],
  [
    "a status within another name for @nest",
    ({ credentialStatus, ...rest }) => ({
      ...rest,
      "@context": [...contextsOf(rest), { group: "@nest" }],
      group: { credentialStatus: credentialStatus! },
    }),
  ],
  [
    "a status beside it, in @included",
    ({ credentialStatus, ...rest }) => ({
      ...rest,
      "@included": [{ id: rest["id"]!, type: rest["type"]!, credentialStatus: credentialStatus! }],
    }),
  ],
  [
    "a status in @included of its subject",
    ({ credentialStatus, ...rest }) =>
      inSubject(rest, {
        "@included": [{ id: rest["id"]!, type: rest["type"]!, credentialStatus: credentialStatus! }],
      }),
  ],
  [
    "a status that points back, by @reverse",
    ({ credentialStatus, ...rest }) =>
      inSubject(rest, {
        "@included": (credentialStatus as JsonObject[]).map((entry) => ({
          ...entry,
          "@reverse": { [`${cred}credentialStatus`]: { id: rest["id"]! } },
        })),
      }),
  ],
  ...[
    ["a name of its own", [{ grade: "https://schema.org/value" }], "grade"] as const,
    ["a name made of a prefix", [{ schema: "https://schema.org/" }, { grade: "schema:value" }], "grade"] as const,
    ["the end of its name", [{ "@vocab": "https://schema.org/va" }], "lue"] as const,
  ].map(([how, contexts, name]): [string, (document: JsonObject) => JsonObject] => [
    `a result under ${how}`,
    (document) =>
      inSubject(
        { ...document, "@context": [...contextsOf(document), ...contexts] },
        { result: [{ type: ["Result"], [name]: "Fail" }] },
      ),
  ]),
  [
    "an end under its IRI",
    ({ validUntil, ...rest }) => ({ ...rest, [`${cred}validUntil`]: { "@value": validUntil!, "@type": dateTime } }),
  ],
  [
    "an end in @included",
    ({ validUntil, ...rest }) => ({
      ...rest,
      "@included": [{ id: rest["id"]!, type: rest["type"]!, validUntil: validUntil! }],
    }),
  ],
];

describe("a signed credential in which the same graph is written with other names", () => {
  it.each(disguises)("is refused with %s", async (_, disguise) => {
    const disguised = disguise(signed);
    expect(await graphOf(disguised)).toBe(await graphOf(signed));
    expect(await outcome(disguised)).toEqual({ format: "malformed" });
  });

  it("is refused if a context of its own extends the vocabulary", async () => {
    for (const context of [
      { "@vocab": cred },
      { "@vocab": "https://www.w3.org/" },
      { "@base": "https://example.edu/" },
      { "@context": { "@vocab": cred } },
      { "@context": [{ "@context": { "@base": "https://example.edu/" } }] },
    ])
      expect(await outcome({ ...signed, "@context": [...contextsOf(signed), context] })).toEqual({
        format: "malformed",
      });
  });
});

it("the issuer's own names are accepted", async () => {
  const own = {
    ex: "https://example.edu/terms#",
    room: "ex:room",
    name: "https://schema.org/name",
    alumniOf: "https://schema.org/alumniOf",
    // The name that the contexts of credentials give it.
    Ed25519Signature2020: "https://w3id.org/security#Ed25519Signature2020",
    seat: { "@id": "https://example.edu/terms#seat", "@type": "http://www.w3.org/2001/XMLSchema#integer" },
    Exam: { "@id": "urn:example:exam", "@context": { mark: "urn:example:mark" } },
  };
  const plain = badge(issuer.did);
  const document = inSubject(
    { ...plain, "@context": [...contextsOf(plain), own, { "@vocab": "https://example.edu/#" }] },
    {
      room: "12",
      seat: 4,
    },
  );
  expect(await outcome(await sign(document))).toMatchObject({ format: "pass", signature: "pass" });
});
