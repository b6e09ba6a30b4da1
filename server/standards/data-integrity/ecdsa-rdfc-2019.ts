import { sign, verify, type KeyObject } from "node:crypto";
import { keyKindOf } from "../encoding/multikey";
import { rdfcHash } from "./rdfc-hash";
import type { Suite } from "./suite";

/** Data Integrity ECDSA 1.0, section 3.2: P-256 with SHA-256, P-384 with SHA-384. */
export const ecdsaRdfc2019: Suite = {
  name: "ecdsa-rdfc-2019",
  keyKinds: ["P-256", "P-384"],
  hash: (unsigned, key) => rdfcHash(unsigned, hashOf(key)),
  sign: (data, key) => sign(hashOf(key), data, { key, dsaEncoding: "ieee-p1363" }),
  verify: (data, signature, key) =>
    signature.length === (hashOf(key) === "sha256" ? 64 : 96) &&
    verify(hashOf(key), data, { key, dsaEncoding: "ieee-p1363" }, signature),
};

const hashOf = (key: KeyObject) => (keyKindOf(key) === "P-384" ? "sha384" : "sha256");
