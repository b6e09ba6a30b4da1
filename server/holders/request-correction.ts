import { z } from "zod";
import { findNameLink } from "@/server/confirmations/find-link";
import { visitorCommand } from "@/server/core/operation";
import { holderIn } from "./holder-visitor";
import { storeNameRequest, wishedName } from "./request-name";

/**
 * Requests another name on the page where a holder confirms the name. The request is listed with those from the
 * holder's home, and the name cannot be confirmed until it is decided. Leaves an audit entry.
 *
 * @returns the result of requestName; `unknown` if the link no longer works
 */
export const requestCorrection = visitorCommand({
  name: "holders.request_correction",
  input: z.strictObject({ token: z.string().max(200), ...wishedName }),
  async run(visitor, tx, { token, name, note }): Promise<"asked" | "waiting" | "unchanged" | "unknown"> {
    const link = await findNameLink(token, visitor.now, tx.sql);
    if (link?.state !== "waiting") return "unknown";
    return storeNameRequest(holderIn(visitor, tx, link.orgId), link.subjectId, name, note);
  },
});
