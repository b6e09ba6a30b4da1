import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BoundedCache } from "../bounded-cache";
import { readMultikey, writeMultikey } from "../encoding/multikey";
import { didDocument, keyIssuer } from "../testing/issuer";
import { offline, startWeb, type TestWeb } from "../testing/web";
import { keyFor, type DidDocument } from "./did-document";
import { urlOfDidWeb } from "./did-web";
import { controllerOf, resolveKeys } from "./resolve";

const now = new Date("2026-06-01T00:00:00Z");

describe("multikey", () => {
  // Test vectors of did:key 0.9.
  it.each([
    ["z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp", "ed25519"],
    ["zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169", "ec"],
    ["z82LkvCwHNreneWpsgPEbV3gu1C6NFJEBg4srfJ5gdxEsMGRJUz2sG9FE42shbn2xkZJh54", "ec"],
  ])("%s is read and written back", (multikey, type) => {
    const key = readMultikey(multikey);
    expect(key.asymmetricKeyType).toBe(type);
    expect(writeMultikey(key)).toBe(multikey);
  });

  it.each([
    "",
    "z",
    "z6Mk",
    "m6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
    // The first key above in base64url, which the cryptosuites do not allow.
    "u7QE7aie8zrakLWKjqNAqbw1zZTIVdx3iQ6Y6wEihi1naKQ",
    "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW0",
    `z${"2".repeat(100_000)}`,
    "z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc",
  ])("%.30s is refused", (multikey) => {
    expect(() => readMultikey(multikey)).toThrow();
  });
});

describe("did:web", () => {
  it.each([
    ["did:web:example.edu", "https://example.edu/.well-known/did.json"],
    ["did:web:example.edu:issuers:uni", "https://example.edu/issuers/uni/did.json"],
    ["did:web:example.edu%3A8443:a", "https://example.edu:8443/a/did.json"],
  ])("%s has its document at %s", (did, url) => expect(urlOfDidWeb(did)).toBe(url));

  it.each([
    "did:web:",
    "did:web:example.edu:..",
    "did:web:example.edu:",
    "did:web:user%40example.edu",
    "did:web:example.edu%2Fpath",
    "did:web:example.edu:a%",
    "did:web:example.edu:u:%2e%2e:files",
    "did:web:example.edu:.%2E",
    "did:web:example.edu:a%2fb",
    "did:web:example.edu:a%5c..",
    "did:web:example.edu:%252e%252e",
    "did:web:example.edu:%ff",
    "did:web:exa mple",
    `did:web:${"a".repeat(2_000)}`,
  ])("%.40s is malformed", (did) => {
    expect(() => urlOfDidWeb(did)).toThrow("malformed");
  });
});

describe("resolveKeys", () => {
  let web: TestWeb;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web.close());

  it("resolves did:key and did:jwk without the network", async () => {
    const issuer = keyIssuer("P-256");
    const jwk = issuer.publicKey.export({ format: "jwk" });
    const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString("base64url")}`;
    expect(
      keyFor(await resolveKeys(issuer.did, offline()), issuer.verificationMethod, "assertionMethod", { now }).equals(
        issuer.publicKey,
      ),
    ).toBe(true);
    expect(
      keyFor(await resolveKeys(did, offline()), `${did}#0`, "assertionMethod", { now }).equals(issuer.publicKey),
    ).toBe(true);
  });

  it.each([
    ["urn:x:1", /neither/],
    ["did:ion:abc", /cannot be looked up/],
    ["did:__proto__:a", /neither/],
    ["did:constructor:a", /cannot be looked up/],
    ["did:key:z6Mk", /./],
    ["did:jwk:e30", /JWK/],
    ["http://example.edu", /neither/],
  ])("does not resolve %s", async (id, problem) => {
    await expect(resolveKeys(id, offline())).rejects.toThrow(problem);
  });

  it("accepts only the document of the DID itself, and fetches it again after a failure and after a minute", async () => {
    const did = web.did(":issuers:one");
    const key = keyIssuer();
    const at = (seconds: number) => web.surroundings(new Date(now.getTime() + seconds * 1000));
    web.pages.set("/issuers/one/did.json", { body: JSON.stringify(didDocument("did:web:other.example", key)) });
    await expect(resolveKeys(did, at(0))).rejects.toThrow("is not that of");
    web.pages.set("/issuers/one/did.json", { body: JSON.stringify(didDocument(did, key)) });
    web.asked.length = 0;
    await Promise.all([0, 1, 59].map((seconds) => resolveKeys(did, at(seconds))));
    expect(web.asked).toHaveLength(1);
    await resolveKeys(did, at(60));
    expect(web.asked).toHaveLength(2);
  });

  it.each(["text/plain", "text/html", "application/octet-stream", "application/jsonp", ""])(
    "refuses the document of an https issuer that is served as %j",
    async (type) => {
      const id = `${web.origin}/uploads/${type.replace("/", "-")}.json`;
      web.pages.set(new URL(id).pathname, { type, body: JSON.stringify(didDocument(id, keyIssuer())) });
      await expect(resolveKeys(id, web.surroundings())).rejects.toThrow("not served as JSON");
    },
  );

  it.each(["application/json", "application/did+ld+json; charset=utf-8", "application/cid"])(
    "accepts the document of an https issuer that is served as %j",
    async (type) => {
      const id = `${web.origin}/issuers/${type.length}`;
      web.pages.set(new URL(id).pathname, { type, body: JSON.stringify(didDocument(id, keyIssuer())) });
      expect(await resolveKeys(id, web.surroundings())).toMatchObject({ id });
    },
  );

  it.each<[string, { status?: number; body: string }, RegExp]>([
    ["is too large", { body: " ".repeat(300_000) }, /larger than/],
    ["is no JSON", { body: "<html>" }, /is not that of/],
    ["is a redirect", { status: 302, body: "" }, /redirect/],
    ["is missing", { status: 404, body: "" }, /404/],
  ])("throws Unverifiable if the document %s", async (_, page, problem) => {
    web.pages.set("/issuers/bad/did.json", page);
    await expect(resolveKeys(web.did(":issuers:bad"), web.surroundings(now))).rejects.toThrow(problem);
  });

  it("finds the keys of an issuer that is named by an https URL", async () => {
    const id = `${web.origin}/issuers/2`;
    const key = keyIssuer();
    web.pages.set("/issuers/2", { body: JSON.stringify(didDocument(id, key)) });
    expect(
      keyFor(await resolveKeys(id, web.surroundings(now)), `${id}#key-1`, "assertionMethod", { now }).equals(
        key.publicKey,
      ),
    ).toBe(true);
    expect(controllerOf(`${id}#key-1`)).toBe(id);
  });
});

describe("keyFor", () => {
  const key = keyIssuer();
  const did = "did:web:example.edu";
  const document = (more: object = {}, rest: object = {}) => {
    const { verificationMethod, ...whole } = didDocument(did, key);
    return {
      ...whole,
      verificationMethod: [{ ...(verificationMethod as object[])[0], ...more }],
      ...rest,
    } as unknown as DidDocument;
  };
  const find = (given: DidDocument, purpose: "assertionMethod" | "authentication" = "assertionMethod") =>
    keyFor(given, `${did}#key-1`, purpose, { now });

  it("finds a key by its full id or its fragment, listed apart or embedded in the purpose", () => {
    expect(find(document()).equals(key.publicKey)).toBe(true);
    expect(find(document({ id: "#key-1" }, { assertionMethod: ["#key-1"] })).equals(key.publicKey)).toBe(true);
    expect(
      find(document({}, { assertionMethod: document()["verificationMethod"] as never })).equals(key.publicKey),
    ).toBe(true);
    expect(find(document({ expires: "2027-01-01T00:00:00Z" })).equals(key.publicKey)).toBe(true);
  });

  it.each<[string, DidDocument, RegExp]>([
    ["is not named for the purpose", document({}, { assertionMethod: [] }), /does not name/],
    ["is of another controller", document({ controller: "did:web:other" }), /somebody else/],
    ["was revoked", document({ revoked: "2026-05-31T00:00:00Z" }), /revoked/],
    ["has expired", document({ expires: "2026-05-31T00:00:00Z" }), /key expired on 31 May 2026/],
    ["has an end that cannot be read", document({ expires: "soon" }), /cannot be read/],
    [
      "is private",
      document({ publicKeyMultibase: undefined, publicKeyJwk: key.privateKey.export({ format: "jwk" }) }),
      /private key/,
    ],
    ["is in no known form", document({ publicKeyMultibase: undefined, publicKeyPem: "x" }), /not supported/],
  ])("refuses a key that %s", (_, given, problem) => {
    expect(() => find(given)).toThrow(problem);
  });

  it("refuses a key for issuing if authentication is the purpose", () => {
    expect(() => find(document(), "authentication")).toThrow("does not name");
  });
});

it("BoundedCache keeps no more values than its capacity", async () => {
  const cache = new BoundedCache<number>(2, 1_000);
  for (const key of ["a", "b", "c"]) await cache.get(key, now, async () => 1);
  expect(cache.size).toBe(2);
  let loads = 0;
  await cache.get("a", now, async () => ++loads);
  expect(loads).toBe(1);
});
