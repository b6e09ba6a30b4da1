import { findProof } from "@/server/access/address-proof";
import { sql } from "@/server/core/db";
import { findPeopleWithAddress } from "./people-with-address";

/** What a mailed link leads to. */
export interface Entry {
  /** The address that gets access. */
  email: string;
  /** Whose credentials the address is about to be added to; null for a link to the home of the address itself. */
  joins: { name: string; organisation: string }[] | null;
}

/** Finds what a mailed link leads to, without using it up. @returns null for a link that was used or has expired */
export async function loadEntry(token: string, now: Date): Promise<Entry | null> {
  const proof = await findProof(sql, token, now, "home");
  if (!proof) return null;
  if (proof.fromEmail === null) return { email: proof.email, joins: null };
  const people = (await findPeopleWithAddress(sql, proof.fromEmail)).filter(({ isOnlyOne }) => isOnlyOne);
  const joins = await sql<{ name: string; organisation: string }>(namesOf, [
    people.map(({ orgId }) => orgId),
    people.map(({ id }) => id),
  ]);
  return { email: proof.email, joins };
}

const namesOf = `
SELECT s.display_name AS name, o.name AS organisation FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (org_id, id, place)
CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = given.org_id AND id = given.id AND erased_at IS NULL OFFSET 0) s
JOIN organisations o ON o.id = s.org_id ORDER BY given.place`;
