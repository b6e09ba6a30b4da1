import { base58, base64urlnopad } from "@scure/base";
import { readClaims, type Statement } from "@/server/credentials/statement";
import { signedBytes, type Sign1 } from "@/server/standards/cose/sign1";
import type { KeptIssuer, KeptList } from "./issuers";

/** Why a signed statement is not accepted offline. */
export type OfflineReason =
  | "forged"
  | "withdrawn_key"
  | "revoked"
  | "suspended"
  | "expired"
  | "not_yet_valid"
  | "unknown_issuer"
  | "unknown_key"
  | "old_lists"
  | "newer_than_lists"
  | "unsupported";

export interface OfflineDecision {
  result: "valid" | "invalid" | "indeterminate";
  reason: OfflineReason | null;
  /** The content of the code; null unless a known key of the issuer signed it. */
  statement: Statement | null;
  /** The device's data of the issuer; null for none. */
  issuer: Pick<KeptIssuer, "slug" | "name" | "nameVerified" | "keptAt"> | null;
  /** The issuer that the code names, whether known or not. */
  named: string;
}

const invalid: ReadonlySet<OfflineReason> = new Set([
  "forged",
  "withdrawn_key",
  "revoked",
  "suspended",
  "expired",
  "not_yet_valid",
]);

/**
 * Decides offline on the signed statement in a QR code, from this device's data: the issuer's keys and its two status
 * lists. Missing data makes the decision indeterminate, never valid. Null if the payload is not a statement.
 *
 * @param code the code of the link before the statement, in its stored form
 */
export async function judge(
  signed: Sign1,
  code: string,
  issuerOf: (slug: string) => Promise<KeptIssuer | undefined>,
  now: Date,
): Promise<OfflineDecision | null> {
  const claims = readClaims(signed.payload);
  if (!claims) return null;
  const issuer = await issuerOf(claims.issuer);
  const decide = (reason: OfflineReason | null, isSigned: boolean): OfflineDecision => ({
    result: reason === null ? "valid" : invalid.has(reason) ? "invalid" : "indeterminate",
    reason,
    statement: isSigned ? claims : null,
    issuer: issuer ?? null,
    named: claims.issuer,
  });
  if (claims.code !== code) return decide("forged", false);
  if (!issuer) return decide("unknown_issuer", false);
  const signer = await signerOf(signed, issuer);
  if (signer !== "active" && signer !== "next" && signer !== "retired") return decide(signer, false);
  if (claims.validFrom > now) return decide("not_yet_valid", true);
  if (claims.expiresAt && claims.expiresAt <= now) return decide("expired", true);
  return decide(await statusOf(claims, issuer, now), true);
}

type Signer = Exclude<KeptIssuer["keys"][number]["status"], "revoked"> | OfflineReason;

/** Returns the status of the key that signed, or why no key of the issuer did. */
async function signerOf(signed: Sign1, { keys }: KeptIssuer): Promise<Signer> {
  const matching = keys
    .map(({ publicKeyMultibase, status }) => ({ key: base58.decode(publicKeyMultibase.slice(1)).slice(2), status }))
    .filter(({ key }) => signed.kid.length > 0 && signed.kid.every((byte, i) => key[i] === byte));
  if (matching.length === 0) return "unknown_key";
  for (const { key, status } of matching) {
    const fits = await isSignedBy(signed, key);
    if (fits === null) return "unsupported";
    if (fits) return status === "revoked" ? "withdrawn_key" : status;
  }
  return "forged";
}

/** Null if this browser does not support Ed25519. */
async function isSignedBy(signed: Sign1, key: Uint8Array): Promise<boolean | null> {
  try {
    const imported = await crypto.subtle.importKey("raw", Uint8Array.from(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, Uint8Array.from(signed.signature), signedBytes(signed));
  } catch {
    return null;
  }
}

/** A revocation is final, so an old list that contains one is as good as a new list. */
async function statusOf({ index }: Statement, { lists }: KeptIssuer, now: Date): Promise<OfflineReason | null> {
  const isRevoked = await isSet(lists.revocation, index);
  if (isRevoked) return "revoked";
  if ([lists.revocation, lists.suspension].some(({ validUntil }) => !(new Date(validUntil) > now))) return "old_lists";
  const isSuspended = await isSet(lists.suspension, index);
  if (isSuspended) return "suspended";
  return isRevoked === null || isSuspended === null ? "newer_than_lists" : null;
}

/**
 * Whether the bit at an index is set (Bitstring Status List 1.0: bit 0 is the leftmost); null if the list is shorter.
 */
async function isSet({ encodedList }: KeptList, index: number): Promise<boolean | null> {
  const packed = Uint8Array.from(base64urlnopad.decode(encodedList.slice(1)));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bits = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const byte = bits[Math.floor(index / 8)];
  return byte === undefined ? null : (byte & (0x80 >> (index % 8))) !== 0;
}
