import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { visitorCommand } from "@/server/core/operation";
import { holderIn } from "./holder-visitor";
import { findPeopleWithAddress } from "./people-with-address";
import { addressOf } from "./session";

/**
 * Removes an address that a holder added, and ends the sessions of that address. Does nothing for any other address: its
 * sessions are those of a stranger. Leaves an audit entry for each person.
 */
export const removeAddress = visitorCommand({
  name: "holders.remove_address",
  input: z.strictObject({ session: z.string().max(200), email: z.string().max(320) }),
  async run(visitor, tx, { session, email }) {
    const own = await addressOf(tx.sql, session, visitor.now);
    if (own === null) return;
    let isAdded = false;
    for (const { orgId, id } of await findPeopleWithAddress(tx.sql, own)) {
      const [removed] = await tx.sql(
        `DELETE FROM holder_addresses WHERE org_id = $1 AND subject_id = $2 AND email = $3 RETURNING 1`,
        [orgId, id, email],
      );
      if (!removed) continue;
      isAdded = true;
      await audit(holderIn(visitor, tx, orgId), "holder.address_removed", {
        type: "subject",
        id: publicId("sub", id),
      });
    }
    if (isAdded && own !== email) await tx.sql(`DELETE FROM holder_sessions WHERE email = $1`, [email]);
  },
});
