import { z } from "zod";
import { redeemHomeLink } from "@/server/access/address-proof";
import { visitorCommand } from "@/server/core/operation";

/** Uses up a mailed link without adding anything. Leaves no trace: nothing of any organisation changes. */
export const declineAddress = visitorCommand({
  name: "holders.decline_address",
  input: z.strictObject({ token: z.string().max(200) }),
  async run(visitor, tx, { token }): Promise<void> {
    await redeemHomeLink(tx, token, visitor.now);
  },
});
