import * as ecdsaMultikey from "@digitalbazaar/ecdsa-multikey";
import * as ed25519Multikey from "@digitalbazaar/ed25519-multikey";
import { verifyCredential as verifyWithDcc } from "@digitalcredentials/verifier-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signDocument } from "./data-integrity/sign-document";
import { suiteOf } from "./data-integrity/suites";
import type { JsonObject } from "./json";
import { badge, keyIssuer } from "./testing/issuer";
import { librarySigns, libraryVerifies } from "./testing/library";
import { offline } from "./testing/web";
import { isValid, verifyCredential } from "./verify/verify-credential";

// The DCC's verifier fetches JSON schemas and logs if it cannot. Without a network the tests behave the same on every
// machine.
beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("There is no network in tests.")));
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const created = new Date("2026-01-31T00:00:00Z");

describe.each(["eddsa-rdfc-2022", "eddsa-jcs-2022"])("%s", (suite) => {
  it("proof of ours is verified by Digital Bazaar's library, and refused after a change", async () => {
    const issuer = keyIssuer();
    const signed = await signDocument(badge(issuer.did), suiteOf(suite)!, issuer, { created });
    expect(await libraryVerifies(signed, suite)).toBe(true);
    expect(await libraryVerifies({ ...signed, name: "Doctor" }, suite)).toBe(false);
  });
});

describe.each([
  ["eddsa-rdfc-2022", () => ed25519Multikey.generate({})],
  ["eddsa-jcs-2022", () => ed25519Multikey.generate({})],
  ["ecdsa-rdfc-2019", () => ecdsaMultikey.generate({ curve: "P-256" })],
  ["ecdsa-rdfc-2019", () => ecdsaMultikey.generate({ curve: "P-384" })],
] as const)("%s proof of Digital Bazaar's library", (suite, generate) => {
  it("is verified here, and refused after a change", async () => {
    const key = await generate();
    key.controller = `did:key:${key.publicKeyMultibase}`;
    key.id = `${key.controller}#${key.publicKeyMultibase}`;
    const signed = (await librarySigns(badge(key.controller), suite, key)) as JsonObject;
    expect((await verifyCredential(signed, offline())).checks.filter(({ outcome }) => outcome !== "pass")).toEqual([
      expect.objectContaining({ name: "issuer_identity", outcome: "skipped" }),
      expect.objectContaining({ name: "status" }),
    ]);
    expect(isValid(await verifyCredential({ ...signed, name: "Doctor" }, offline()))).toBe(false);
  });
});

it("the DCC's verifier accepts a badge of ours, and refuses it after a change", async () => {
  const issuer = keyIssuer();
  const signed = await signDocument(badge(issuer.did), suiteOf("eddsa-rdfc-2022")!, issuer, { created });
  const signature = async (credential: object) => {
    const { log, errors } = await verifyWithDcc({ credential: credential as never, knownDIDRegistries: [] });
    return errors?.map(({ name }) => name) ?? log?.find(({ id }) => id === "valid_signature")?.valid;
  };
  expect(await signature(signed)).toBe(true);
  expect(await signature({ ...signed, name: "Doctor" })).toEqual(["invalid_signature"]);
});
