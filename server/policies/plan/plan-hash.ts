import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { uuidOf, type Id } from "@/server/core/ids";
import type { PolicyConfig } from "../config";

/** A credential that a plan ends. */
export interface Removal {
  credential_id: Id<"crd">;
  action: string;
}

/** Plans of at most this many removals name each in their hash. */
const listed = 500;
/** Bytes of a removal in the hash: that another removal has the same is a chance of 500 in 2^48. */
const size = 6;

/**
 * Names the policy as it was when the plan was made, and the removals of the plan. Issues are not part of it: new people
 * do not change it. The hash of a small plan lists its removals, so that a plan that has lost some of them is still
 * covered (docs/decisions/380).
 */
export function planHash(config: PolicyConfig, removals: readonly Removal[]): string {
  const digests = removals.map(digestOf).sort(Buffer.compare);
  const whole = tagOf(config) + createHash("sha256").update(Buffer.concat(digests)).digest("base64url").slice(0, 22);
  if (digests.length === 0 || digests.length > listed) return whole;
  return `${whole}.${Buffer.concat(digests.map((digest) => digest.subarray(0, size))).toString("base64url")}`;
}

/** Whether a plan is of the same policy, unchanged, whatever it ends. */
export const isOfPolicy = (hash: string, config: PolicyConfig): boolean => hash.startsWith(tagOf(config));

/** Whether a plan is of the same policy, unchanged, and ends nothing but what the plan of the hash ends. */
export function covers(hash: string, config: PolicyConfig, removals: readonly Removal[]): boolean {
  if (hash === planHash(config, removals)) return true;
  if (!isOfPolicy(hash, config)) return false;
  const list = Buffer.from(hash.split(".")[1] ?? "", "base64url");
  const known = new Set<string>();
  for (let at = 0; at + size <= list.length; at += size) known.add(list.toString("hex", at, at + size));
  return removals.every((removal) => known.has(digestOf(removal).toString("hex", 0, size)));
}

/** The same rule has the same tag, in whatever order PostgreSQL stores the members of its JSON. */
const tagOf = (config: PolicyConfig): string =>
  createHash("sha256")
    .update(canonicalize(JSON.parse(JSON.stringify(config))) ?? "")
    .digest("base64url")
    .slice(0, 8);

const digestOf = ({ credential_id, action }: Removal): Buffer =>
  createHash("sha256")
    .update(`${uuidOf(credential_id)} ${action}`)
    .digest();
