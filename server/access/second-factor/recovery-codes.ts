import { randomInt } from "node:crypto";
import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { hashToken } from "@/server/core/secrets";

const count = 10;
const groups = 4;
// Crockford's base32: without letters that are taken for digits.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Sixteen characters, 80 bits: enough for a fast hash, as for tokens. */
function newCode(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(32)]).join("");
  return Array.from({ length: groups }, group).join("-");
}

/** As it was typed, in the form that is hashed. */
const normalised = (code: string) =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");

/** Replaces a person's recovery codes and returns the ten new ones, this once. */
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

/** Uses a recovery code: each works once. */
export async function spendRecoveryCode(sql: Query, userId: Id<"usr">, code: string, now: Date): Promise<boolean> {
  const used = await sql(
    `UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1`,
    [userId, hashToken(normalised(code)), now],
  );
  return used.length > 0;
}

/** Makes codes for a person who has none yet: with their first second factor. Null for others. */
export async function firstRecoveryCodes(sql: Query, userId: Id<"usr">, now: Date): Promise<string[] | null> {
  const [any] = await sql(`SELECT 1 FROM recovery_codes WHERE user_id = $1 LIMIT 1`, [userId]);
  return any ? null : replaceRecoveryCodes(sql, userId, now);
}
