import { base32nopad } from "@scure/base";
import { encode } from "cborg";
import { readSign1, strictly, writeSign1, type Sign1 } from "@/server/standards/cose/sign1";

// The signed statement in the QR code of a credential (decision 517): a CWT (RFC 8392) as COSE_Sign1, in base32, after
// the # of the link. Runs in browsers too.

/** The issuer's statement about a credential in its QR code. Times are in whole seconds, as in CWT. */
export interface Statement {
  /** The issuer's slug at the service of the QR code's link. */
  issuer: string;
  /** In its stored form, without hyphens. */
  code: string;
  kind: StatementKind;
  title: string;
  /** Empty if the template hides the holder's name from the public. */
  name: string;
  /** The index in the issuer's status lists. */
  index: number;
  validFrom: Date;
  issuedAt: Date | null;
  expiresAt: Date | null;
}

/** Kinds by their number in a statement. */
const kinds = [undefined, "membership", "employee_id", "student_id", "academic"] as const;
export type StatementKind = NonNullable<(typeof kinds)[number]>;

/** Registered claims (RFC 8392, section 4). */
const [iss, sub, exp, nbf, iat] = [1, 2, 4, 5, 6];
/**
 * A claim for private use (below -65536), which contains a map. The private key costs five bytes, those of the map one
 * byte each.
 */
const own = -65537;
const [kind, title, name, index] = [1, 2, 3, 4];

/**
 * The most bytes (UTF-8) of a text. Longer texts are cut, because the modules of the QR code would get too small to be
 * read.
 */
const longestText = 64;

/** Writes the claims. The same statement always gives the same bytes. */
export function writeClaims(statement: Statement): Uint8Array {
  const about = new Map<number, unknown>([
    [kind, kinds.indexOf(statement.kind)],
    [title, cut(statement.title)],
    [name, cut(statement.name)],
    [index, statement.index],
  ]);
  const claims = new Map<number, unknown>([
    [iss, statement.issuer],
    [sub, statement.code],
    [nbf, seconds(statement.validFrom)],
    [own, about],
  ]);
  if (statement.issuedAt) claims.set(iat, seconds(statement.issuedAt));
  if (statement.expiresAt) claims.set(exp, seconds(statement.expiresAt));
  return encode(claims);
}

/** Parses the claims; null if they are not ours. Do not trust them before the signature was verified. */
export function readClaims(payload: Uint8Array): Statement | null {
  try {
    const claims = strictly(payload);
    if (!(claims instanceof Map)) return null;
    const about: unknown = claims.get(own);
    if (!(about instanceof Map)) return null;
    const statement = {
      issuer: claims.get(iss) as unknown,
      code: claims.get(sub) as unknown,
      kind: kinds[about.get(kind) as number],
      title: about.get(title) as unknown,
      name: about.get(name) as unknown,
      index: about.get(index) as unknown,
      validFrom: timeOf(claims.get(nbf)),
      issuedAt: timeOf(claims.get(iat)),
      expiresAt: timeOf(claims.get(exp)),
    };
    const texts = [statement.issuer, statement.code, statement.title, statement.name];
    const isWhole = texts.every((text) => typeof text === "string") && Number.isSafeInteger(statement.index);
    if (!isWhole || !statement.kind || !statement.validFrom || (statement.index as number) < 0) return null;
    return statement as Statement;
  } catch {
    return null;
  }
}

/** Returns the statement as it follows the # of the link, in letters and digits of the QR code's alphanumeric mode. */
export const fragmentOf = (signed: Sign1): string => base32nopad.encode(writeSign1(signed));

/** Reads the signed statement of a link; null if there is none. */
export function readFragment(fragment: string): Sign1 | null {
  if (fragment === "" || fragment.length > longestFragment) return null;
  try {
    return readSign1(base32nopad.decode(fragment.toUpperCase()));
  } catch {
    return null;
  }
}

const longestFragment = 1_000;

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

function timeOf(value: unknown): Date | null {
  if (value === undefined) return null;
  const time = new Date((value as number) * 1000);
  if (!Number.isSafeInteger(value) || Number.isNaN(time.getTime())) throw new TypeError("A time is not a number.");
  return time;
}

/** Cuts a text after a whole character, and adds an ellipsis. */
function cut(text: string): string {
  const bytesOf = (part: string) => new TextEncoder().encode(part).length;
  if (bytesOf(text) <= longestText) return text;
  const characters = Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
  while (characters.length > 0 && bytesOf(`${characters.join("")}…`) > longestText) characters.pop();
  return `${characters.join("")}…`;
}
