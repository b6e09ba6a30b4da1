import { z } from "zod";
import { audit } from "@/server/access/audit";
import { visitorCommand } from "@/server/core/operation";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { findNameLink, targetOf } from "./find-link";
import { issueConfirmed } from "./issue-confirmed";
import { loadForDecision } from "./load";
import { isStillMeant } from "./still-meant";
import { publicId } from "@/server/core/ids";
import { endedReason } from "@/server/policies/run/remove";

/**
 * Confirms the holder's own name and issues the credential. The link authorises it. Emits the events of issuing and
 * name_confirmation.confirmed. Leaves an audit entry.
 *
 * @param name the name that the page showed the holder
 * @returns `done`, also if it was confirmed before; `changed` if the name on record has changed; `over` if the link no
 * longer works, or if the policy that asked no longer matches the person, which cancels the request; `asked` if the
 * holder's request for another name waits for a decision
 * @throws DomainError those of issueOrAsk; then the request still waits
 */
export const confirmOwnName = visitorCommand({
  name: "name_confirmations.confirm_own",
  input: z.strictObject({ token: z.string().max(200), name: z.string().max(2000) }),
  async run(visitor, tx, { token, name }): Promise<"done" | "changed" | "over" | "asked"> {
    const link = await findNameLink(token, visitor.now, tx.sql);
    if (!link) return "over";
    const ctx = {
      orgId: link.orgId,
      actor: { type: "public" as const, id: "holder" },
      scopes: new Set<never>(),
      requestId: visitor.requestId,
      now: visitor.now,
      tx,
    };
    const row = await loadForDecision(ctx, link.id);
    if (row.state === "confirmed") return "done";
    // Another link may have replaced this one before the lock.
    if (
      row.state !== "waiting" ||
      row.token !== token ||
      row.link_expires_at <= visitor.now ||
      link.state === "expired"
    )
      return "over";
    if (row.requested_name !== null) return "asked";
    if (row.record_name === "" || row.record_name !== name) return "changed";
    if (!(await isStillMeant(ctx, row))) {
      await cancelConfirmations(ctx, [row.id], endedReason);
      await audit(ctx, "name_confirmation.cancelled", targetOf(link));
      return "over";
    }
    const { confirmation } = await issueConfirmed(ctx, row, null);
    await audit(ctx, "name_confirmation.confirmed", targetOf(link), {
      credentialId: publicId("crd", confirmation.credential_id),
    });
    return "done";
  },
});
