import { randomFillSync } from "node:crypto";

const prefixes = [
  "org", "usr", "mem", "inv", "key", "ocl", "ocs", "sub", "grp", "tpl", "tpv", "ach", "acv", "crd", "crh", "chn", "con", "run",
  "pol", "plr", "whe", "evt", "dlv", "att", "blk", "aud", "req", "ses", "psk", "aml", "sev",
] as const;
export type IdPrefix = (typeof prefixes)[number];

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

const entropy = new Uint8Array(4096);
let used = entropy.length;
let lastMillisecond = 0;
let counter = 0;

/** Random bytes from a buffer that is filled 4 KiB at a time: a system call an id would cost more than the id. */
function randomByte(): number {
  if (used === entropy.length) {
    randomFillSync(entropy);
    used = 0;
  }
  return entropy[used++]!;
}

/**
 * A prefix and the 26 lower-case Crockford base32 characters of a UUIDv7 (RFC 9562; contract section 1). Ids of one process sort
 * strictly by the order in which they were made: the 12 bits of rand_a count within a millisecond, as section 6.2 of the RFC allows.
 */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  if (now > lastMillisecond) {
    lastMillisecond = now;
    counter = randomByte() << 2;
  } else if (++counter > 0xfff) {
    lastMillisecond++;
    counter = 0;
  }
  let high = (BigInt(lastMillisecond) << 16n) | 0x7000n | BigInt(counter);
  let low = 2n;
  for (let i = 0; i < 8; i++) low = (low << (i === 0 ? 6n : 8n)) | BigInt(i === 0 ? randomByte() & 0x3f : randomByte());
  return write(prefix, (high << 64n) | low);
}

function write(prefix: IdPrefix, value: bigint): string {
  let text = "";
  for (let i = 0; i < 26; i++) {
    text = crockford[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `${prefix}_${text}`;
}

/**
 * What stands before and after the count in ids that one statement makes: a fresh id without 25 of its random bits, which
 * crockford_25_bits fills. new_id() costs 24 µs an id, this 1 µs.
 */
export function idParts(prefix: IdPrefix): [head: string, tail: string] {
  const model = newId(prefix);
  return [model.slice(0, 18), model.slice(23)];
}

/** A lower bound of all ids made at `at` or later, for ranges over a primary key. */
export function earliestId(prefix: IdPrefix, at: Date): string {
  return write(prefix, BigInt(at.getTime()) << 80n);
}

/** True for a string of the form that newId gives, so that anything else is refused without a query. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.length === prefix.length + 27 && value.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(prefix.length + 1));
}
