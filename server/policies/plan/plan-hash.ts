import { createHash } from "node:crypto";
import { uuidOf, type Id } from "@/server/core/ids";

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
 * Names the removals of a plan. Issues are not part of it: new people do not change it. The hash of a small plan lists
 * its removals, so that a plan that has lost some of them is still covered (docs/decisions/380).
 */
export function planHash(removals: readonly Removal[]): string {
  const digests = removals.map(digestOf).sort(Buffer.compare);
  const whole = createHash("sha256").update(Buffer.concat(digests)).digest("base64url").slice(0, 22);
  if (digests.length === 0 || digests.length > listed) return whole;
  return `${whole}.${Buffer.concat(digests.map((digest) => digest.subarray(0, size))).toString("base64url")}`;
}

/** Whether a plan ends nothing but what the plan of the hash ends. */
export function covers(hash: string, removals: readonly Removal[]): boolean {
  if (hash === planHash(removals)) return true;
  const list = Buffer.from(hash.split(".")[1] ?? "", "base64url");
  const known = new Set<string>();
  for (let at = 0; at + size <= list.length; at += size) known.add(list.toString("hex", at, at + size));
  return removals.every((removal) => known.has(digestOf(removal).toString("hex", 0, size)));
}

const digestOf = ({ credential_id, action }: Removal): Buffer =>
  createHash("sha256")
    .update(`${uuidOf(credential_id)} ${action}`)
    .digest();
