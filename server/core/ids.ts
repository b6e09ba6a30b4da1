/** The prefixes of all kinds of ids. */
export const idPrefixes = [
  "org",
  "usr",
  "mem",
  "inv",
  "key",
  "ocl",
  "ocs",
  "sub",
  "grp",
  "tpl",
  "tpv",
  "ach",
  "acv",
  "crd",
  "crh",
  "chn",
  "msg",
  "con",
  "run",
  "pol",
  "plr",
  "whe",
  "evt",
  "dlv",
  "att",
  "blk",
  "aud",
  "req",
  "ses",
  "psk",
  "aml",
  "sev",
  "iky",
  "clk",
  "clm",
  "prf",
  "nrq",
  "ncf",
  "phi",
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

declare const kind: unique symbol;

/**
 * An id inside the server: a UUIDv7 (RFC 9562) in the form of PostgreSQL. It is a string at runtime but not for the
 * compiler, so that none can be sent to callers by mistake: `publicId` converts it to the form that they see. An id
 * that was read from an input may also be an UnknownId.
 */
export interface Id<P extends IdPrefix = IdPrefix> {
  readonly [kind]: P;
}

/** The type `F` if `T`, which it returns to callers, holds no internal id at any depth; else an error that names it. */
export type Telling<F, T> = [Held<T>] extends [never]
  ? F
  : { error: "It gives an id as the server has it. Give publicId() of it."; id: Held<T> };
type Held<T> = unknown extends T
  ? never
  : T extends Id
    ? T
    : T extends string | number | boolean | null | undefined | Date | Uint8Array
      ? never
      : T extends readonly (infer Each)[]
        ? Held<Each>
        : { [Field in keyof T]-?: Held<T[Field]> }[keyof T];

/**
 * An id outside the server (contract section 1): a prefix and the 26 lower-case Crockford base32 characters of the
 * UUID.
 */
export type PublicId<P extends IdPrefix = IdPrefix> = `${P}_${string}`;

/** The result of reading a text that is no id. In a statement it becomes a UUID that no row has. */
class UnknownId {
  constructor(readonly given: string) {}
  /** The value that pg sends. */
  toPostgres(): string {
    return lastId;
  }
  toJSON(): string {
    return lastId;
  }
}

/** Sorts after every id. No row has it. */
export const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** No id sorts before it. */
export const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * The organisation id of rows and contexts without one: for actions of the operator and of visitors before the
 * organisation is known.
 */
export const noOrganisation = asId<"org">(firstId);

const entropy = new Uint8Array(4096);
let used = entropy.length;
let lastMillisecond = 0;
let counter = 0;

/** A random byte from a buffer of 4 KiB: a system call for each id would cost more than the rest of newId(). */
function randomByte(): number {
  if (used === entropy.length) {
    crypto.getRandomValues(entropy);
    used = 0;
  }
  return entropy[used++]!;
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const randomHex = () => hexOfByte[randomByte()]!;

/**
 * Makes a new id. Ids of one process sort strictly in the order of creation: the 12 bits of rand_a count within a
 * millisecond, as section 6.2 of the RFC allows.
 */
export function newId<P extends IdPrefix>(_prefix: P, now: number = Date.now()): Id<P> {
  if (now > lastMillisecond) {
    lastMillisecond = now;
    counter = randomByte() << 2;
  } else if (++counter > 0xfff) {
    lastMillisecond++;
    counter = 0;
  }
  const variant = hexOfByte[0x80 | (randomByte() & 0x3f)]!;
  return asId(
    `${time(lastMillisecond)}-7${hexOfByte[counter >> 4]!}${hexDigits[counter & 15]!}-${variant}${randomHex()}-${randomHex()}${randomHex()}${randomHex()}${randomHex()}${randomHex()}${randomHex()}`,
  );
}

/** Makes a new id in the form that callers see, for things that are in no table, such as requests. */
export function newPublicId<P extends IdPrefix>(prefix: P): PublicId<P> {
  return publicId(prefix, newId(prefix));
}

/** A lower bound of all ids made at `at` or later, for ranges over a primary key. Times before 1970 count as 1970. */
export function earliestId<P extends IdPrefix>(_prefix: P, at: Date): Id<P> {
  return asId(`${time(Math.max(0, at.getTime()))}-0000-0000-000000000000`);
}

/** The first 48 bits of a UUIDv7: the time. */
function time(milliseconds: number): string {
  const high = Math.floor(milliseconds / 0x1000000);
  const low = milliseconds % 0x1000000;
  return `${hexOfByte[(high >> 16) & 255]!}${hexOfByte[(high >> 8) & 255]!}${hexOfByte[high & 255]!}${hexOfByte[low >> 16]!}-${hexOfByte[(low >> 8) & 255]!}${hexOfByte[low & 255]!}`;
}

// Converts in groups: 20 bits are five hexadecimal digits or four characters of base32. 128 bits are 8 bits (the first
// two digits of either form) and six groups of 20. Uses only tables and numbers below 2^32: BigInt took five times as
// long.

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";
const hexDigits = "0123456789abcdef";

/** The two base32 characters of each ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => crockford[bits >> 5]! + crockford[bits & 31]!);
/** A table of the values of digits by character code. */
const byCharacter = (alphabet: string) =>
  Uint8Array.from({ length: 128 }, (_, code) => Math.max(alphabet.indexOf(String.fromCharCode(code)), 0));
const hexValues = byCharacter(hexDigits);
const base32Values = byCharacter(crockford);

/** Converts an id to the form that callers see. */
export function publicId<P extends IdPrefix>(prefix: P, id: Id<P>): PublicId<P>;
export function publicId<P extends IdPrefix>(prefix: P, id: Id<P> | null): PublicId<P> | null;
export function publicId<P extends IdPrefix>(prefix: P, id: Id<P> | null): PublicId<P> | null {
  if (id === null) return null;
  if (id instanceof UnknownId) return id.given as PublicId<P>;
  const uuid = uuidOf(id);
  let text = pairs[(hexValues[uuid.charCodeAt(0)]! << 4) | hexValues[uuid.charCodeAt(1)]!]!;
  for (let group = 0; group < 6; group++) {
    const at = group * 5;
    let bits = 0;
    for (let i = 0; i < 5; i++) bits = (bits << 4) | hexValues[uuid.charCodeAt(digitPlaces[at + i]!)]!;
    text += pairs[bits >> 10]! + pairs[bits & 1023]!;
  }
  return `${prefix}_${text}`;
}

/** The positions of the digits after the first two in the text form of a UUID. */
const digitPlaces = Uint8Array.from(
  [...Array(36).keys()].filter((place) => place > 1 && ![8, 13, 18, 23].includes(place)),
);

/**
 * Reads an id that a caller sent. A text of another form, or with the prefix of another resource, becomes an id that no
 * row has.
 */
export function readId<P extends IdPrefix>(prefix: P, given: string): Id<P> {
  if (!isId(prefix, given)) return asId(new UnknownId(given));
  const at = prefix.length + 1;
  const digits = (from: number, count: number) => {
    let bits = 0;
    for (let i = 0; i < count; i++) bits = (bits << 5) | base32Values[given.charCodeAt(at + from + i)]!;
    return bits;
  };
  const bytes = (bits: number) => hexOfByte[(bits >> 8) & 255]! + hexOfByte[bits & 255]!;
  const [a, b, c, d, e, f] = [
    digits(2, 4),
    digits(6, 4),
    digits(10, 4),
    digits(14, 4),
    digits(18, 4),
    digits(22, 4),
  ] as const;
  // 8 bits, then six groups of 20.
  return asId(
    `${hexOfByte[digits(0, 2)]!}${hexDigits[a >> 16]!}${bytes(a)}${hexDigits[b >> 16]!}-${bytes(b)}-${hexDigits[c >> 16]!}${hexOfByte[(c >> 8) & 255]!}${hexDigits[(c >> 4) & 15]!}-${hexDigits[c & 15]!}${hexDigits[d >> 16]!}${hexOfByte[(d >> 8) & 255]!}-${hexOfByte[d & 255]!}${hexDigits[e >> 16]!}${bytes(e)}${hexDigits[f >> 16]!}${bytes(f)}`,
  );
}

/** Reads an id of any resource, by its prefix. */
export function readAnyId(given: string): Id {
  return readId(idPrefixes.find((prefix) => given.startsWith(`${prefix}_`)) ?? "org", given);
}

/** Whether a string has the form that publicId returns. */
export function isId<P extends IdPrefix>(prefix: P, value: string): value is PublicId<P> {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(`${prefix}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(prefix.length + 1))
  );
}

/** The UUID of an id as text, for Prisma and for keys that contain more than an id. */
export function uuidOf(id: Id): string {
  const value: unknown = id;
  return value instanceof UnknownId ? lastId : (value as string);
}

/** The key of a page's last row as text: an id, or a key that is text already. */
export const keyText = (key: string | Id): string => (typeof key === "string" ? key : uuidOf(key));

/** Casts a UUID from Prisma, or from JSON of PostgreSQL, to an id. */
export function asId<P extends IdPrefix>(uuid: unknown): Id<P> {
  return uuid as Id<P>;
}
