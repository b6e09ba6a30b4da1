import { z } from "zod";
import { redeemHomeLink } from "@/server/access/address-proof";
import { audit } from "@/server/access/audit";
import type { Visitor } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { visitorCommand } from "@/server/core/operation";
import type { Tx } from "@/server/core/transaction";
import { holderIn } from "./holder-visitor";
import { findPeopleWithAddress } from "./people-with-address";
import { beginSession } from "./session";

/**
 * Redeems a mailed link, which works once, and begins a session for its address. If the link was requested to add an
 * address, adds it first and leaves an audit entry for each person who has it now.
 *
 * @returns the session token; null if the link was used or has expired
 */
export const enterHome = visitorCommand({
  name: "holders.enter",
  input: z.strictObject({ token: z.string().max(200) }),
  async run(visitor, tx, { token }): Promise<{ session: string } | null> {
    const proof = await redeemHomeLink(tx, token, visitor.now);
    if (!proof) return null;
    if (proof.fromEmail !== null) await addAddress(visitor, tx, proof.fromEmail, proof.email);
    return { session: await beginSession(tx, visitor.now, proof.email) };
  },
});

/**
 * Adds `email` to the people who have the address `from`. Skips organisations where several people share `from`:
 * otherwise one of them could get permanent access to the credentials of the others.
 */
async function addAddress(visitor: Visitor, tx: Tx, from: string, email: string): Promise<void> {
  for (const { orgId, id, isOnlyOne } of await findPeopleWithAddress(tx.sql, from)) {
    if (!isOnlyOne) continue;
    const [added] = await tx.sql(
      `INSERT INTO holder_addresses (org_id, subject_id, email, created_at)
       SELECT org_id, id, $3, $4 FROM subjects WHERE org_id = $1 AND id = $2 AND erased_at IS NULL AND lower(email) IS DISTINCT FROM $3 FOR SHARE
       ON CONFLICT DO NOTHING RETURNING 1`,
      [orgId, id, email, visitor.now],
    );
    if (added)
      await audit(holderIn(visitor, tx, orgId), "holder.address_added", { type: "subject", id: publicId("sub", id) });
  }
}
