import { z } from "zod";
import { audit } from "@/server/access/audit";
import { askPersonAgain } from "@/server/confirmations/ask-again";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { reissueCredential } from "@/server/credentials/reissue";
import { stateAt } from "@/server/credentials/state-sql";
import { updateSubject } from "@/server/subjects/update";
import { decideNameRequest, loadNameRequest } from "./load-name-request";
import { nameRequestView } from "./name-request-view";

/**
 * Approves a name request: changes the name on record and reissues each live academic credential, because these keep the
 * name with which they were issued. The public pages do not link the old and the new credential. All of it happens, or
 * nothing. A holder who has yet to confirm the name for a credential gets a new link. Emits subject.updated and the events of reissuing. Leaves an audit entry. Requires credentials:revoke too if
 * one of the credentials is suspended.
 *
 * @throws DomainError already_decided if the request was decided already; those of updateSubject and reissueCredential
 */
export const approveName = command({
  name: "name_requests.approve",
  scope: "subjects:write",
  alsoScope: "credentials:issue",
  input: z.strictObject({ id: id("nrq") }),
  async run(ctx, input) {
    const request = await loadNameRequest(ctx, input.id);
    // Lock the person before the request and the credentials, as an erasure does, to avoid deadlocks.
    const subjectId = publicId("sub", request.subject_id);
    await updateSubject(ctx, { id: subjectId, displayName: request.name });
    await decideNameRequest(ctx, request.id, "approved", null);
    const academic = await ctx.tx.sql<{ id: Id<"crd"> }>(
      `SELECT c.id FROM credentials c WHERE c.org_id = $1 AND c.subject_id = $2 AND c.kind = 'academic' AND ${stateAt("$3")} IN ('pending', 'active', 'suspended') ORDER BY c.id`,
      [ctx.orgId, request.subject_id, ctx.now],
    );
    for (const each of academic) await reissueCredential(ctx, { id: publicId("crd", each.id), linkPublicly: false });
    await askPersonAgain(ctx, request.subject_id);
    await audit(
      ctx,
      "name_request.approved",
      { type: "name_request", id: publicId("nrq", request.id) },
      { subjectId, reissued: academic.length },
    );
    return nameRequestView(await loadNameRequest(ctx, request.id));
  },
});
