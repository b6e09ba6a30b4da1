import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { uuidOf, type Id } from "@/server/core/ids";
import type { PolicyConfig } from "../config";

/** A credential that a plan ends. */
export interface Removal {
  credential_id: Id<"crd">;
  action: string;
}

/** The hash of a plan with at most this many removals lists each of them. */
export const listed = 500;
/** Bytes of each removal in the hash. Another removal equals one of 500 with a chance of 500 in 2^48. */
const size = 6;

/**
 * Hashes the policy and the removals of a plan. Issues are left out, so new people do not change the hash. The hash of a
 * small plan lists its removals, so that it still covers a plan in which some are no longer due (docs/decisions/380).
 */
export function planHash(config: PolicyConfig, removals: readonly Removal[]): string {
  const digests = removals.map(digestOf).sort(Buffer.compare);
  const whole = tagOf(config) + createHash("sha256").update(Buffer.concat(digests)).digest("base64url").slice(0, 22);
  if (digests.length === 0 || digests.length > listed) return whole;
  return `${whole}.${Buffer.concat(digests.map((digest) => digest.subarray(0, size))).toString("base64url")}`;
}

/** Whether two plans are of the same, unchanged policy, whatever they end. */
export const isOfPolicy = (hash: string, config: PolicyConfig): boolean => hash.startsWith(tagOf(config));

/** Whether a plan is of the same, unchanged policy and ends only credentials that the plan of the hash ends. */
export function covers(hash: string, config: PolicyConfig, removals: readonly Removal[]): boolean {
  if (hash === planHash(config, removals)) return true;
  if (!isOfPolicy(hash, config)) return false;
  const list = Buffer.from(hash.split(".")[1] ?? "", "base64url");
  const known = new Set<string>();
  for (let at = 0; at + size <= list.length; at += size) known.add(list.toString("hex", at, at + size));
  return removals.every((removal) => known.has(digestOf(removal).toString("hex", 0, size)));
}

/** Whether the hash is of this policy and has too many removals to list them, so that it covers no smaller plan. */
export const isUnlisted = (hash: string, config: PolicyConfig): boolean =>
  isOfPolicy(hash, config) && !hash.includes(".") && hash !== planHash(config, []);

/** Sorts members, because PostgreSQL stores those of JSON in an order of its own. */
const tagOf = (config: PolicyConfig): string =>
  createHash("sha256")
    .update(canonicalize(JSON.parse(JSON.stringify(config))) ?? "")
    .digest("base64url")
    .slice(0, 8);

const digestOf = ({ credential_id, action }: Removal): Buffer =>
  createHash("sha256")
    .update(`${uuidOf(credential_id)} ${action}`)
    .digest();
