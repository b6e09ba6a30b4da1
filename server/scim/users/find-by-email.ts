import type { TxCtx } from "@/server/core/context";
import { like } from "@/server/core/words";
import type { Connection } from "../connection";
import { fold } from "@/server/connectors/directory/fold";
import { taken } from "./taken";

/**
 * Finds the person whom a connection with `adopt: email` adopts, and returns their externalId. Only people whom this
 * connection does not provide yet count, because two users of one directory may share an address.
 *
 * @throws ScimError uniqueness if several people have the address, because any choice may be wrong
 */
export async function findByEmail(ctx: TxCtx, connection: Connection, email: string): Promise<string | null> {
  const rows = await ctx.tx.sql<{ external_id: string }>(
    `SELECT external_id FROM subjects s
     WHERE org_id = $1 AND search LIKE search_fold($3) AND lower(normalize(email, NFC)) = $4 AND erased_at IS NULL
       AND NOT EXISTS (SELECT FROM subject_sources own WHERE own.org_id = $1 AND own.subject_id = s.id AND own.source_id = $2 OFFSET 0)
     LIMIT 2`,
    // The column search contains the address as a separate line, and has an index.
    [ctx.orgId, connection.id, like(`\n${email}\n`), fold(email)],
  );
  if (rows.length > 1)
    throw taken(
      "Several people here have this e-mail address. Give the one who is meant the directory's externalId, or the others another address.",
    );
  return rows[0]?.external_id ?? null;
}
