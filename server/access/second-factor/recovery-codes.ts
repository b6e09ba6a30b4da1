import { randomInt } from "node:crypto";
import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { hashToken } from "@/server/core/secrets";

const count = 10;
const groups = 4;
// Crockford's base32: without the letters that are mistaken for digits.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Creates a code of 16 characters. Its 80 bits make a fast hash sufficient, as for tokens. */
function newCode(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(32)]).join("");
  return Array.from({ length: groups }, group).join("-");
}

/** Converts a typed code into the form that is hashed. */
const normalised = (code: string) =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");

/** Replaces a person's recovery codes and returns the ten new ones once. */
export async function replaceRecoveryCodes(sql: Query, userId: Id<"usr">, now: Date): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await sql(`DELETE FROM recovery_codes WHERE user_id = $1`, [userId]);
  await sql(`INSERT INTO recovery_codes (user_id, code_hash, created_at) SELECT $1, unnest($2::text[]), $3`, [
    userId,
    codes.map((code) => hashToken(normalised(code))),
    now,
  ]);
  return codes;
}

/** Uses up a recovery code; each works once. Returns false for a wrong or used one. */
export async function spendRecoveryCode(sql: Query, userId: Id<"usr">, code: string, now: Date): Promise<boolean> {
  const used = await sql(
    `UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1`,
    [userId, hashToken(normalised(code)), now],
  );
  return used.length > 0;
}

/** Creates recovery codes with a person's first second factor. Returns null if they have codes already. */
export async function firstRecoveryCodes(sql: Query, userId: Id<"usr">, now: Date): Promise<string[] | null> {
  const [any] = await sql(`SELECT 1 FROM recovery_codes WHERE user_id = $1 LIMIT 1`, [userId]);
  return any ? null : replaceRecoveryCodes(sql, userId, now);
}
