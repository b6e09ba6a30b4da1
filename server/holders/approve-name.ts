import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { reissueCredential } from "@/server/credentials/reissue";
import { stateAt } from "@/server/credentials/state-sql";
import { updateSubject } from "@/server/subjects/update";
import { decideNameRequest, loadNameRequest } from "./load-name-request";
import { nameRequestView } from "./name-request-view";

/**
 * Approves a request for another name: the record has it from now on, and each live academic credential, which keeps
 * the name of its issue, is reissued without a public link between the two. All of it or nothing. Emits subject.updated
 * and what a reissue emits. Leaves an audit entry. A suspended credential takes the scope credentials:revoke too.
 *
 * @throws DomainError conflict where it was decided already; as updateSubject and reissueCredential
 */
export const approveName = command({
  name: "name_requests.approve",
  scope: "subjects:write",
  alsoScope: "credentials:issue",
  input: z.strictObject({ id: id("nrq") }),
  async run(ctx, input) {
    const request = await loadNameRequest(ctx, input.id);
    // The person first, then what is theirs: the order of an erasure.
    const subjectId = publicId("sub", request.subject_id);
    await updateSubject(ctx, { id: subjectId, displayName: request.name });
    await decideNameRequest(ctx, request.id, "approved", null);
    const academic = await ctx.tx.sql<{ id: Id<"crd"> }>(
      `SELECT c.id FROM credentials c WHERE c.org_id = $1 AND c.subject_id = $2 AND c.kind = 'academic' AND ${stateAt("$3")} IN ('pending', 'active', 'suspended') ORDER BY c.id`,
      [ctx.orgId, request.subject_id, ctx.now],
    );
    for (const each of academic) await reissueCredential(ctx, { id: publicId("crd", each.id), linkPublicly: false });
    await audit(
      ctx,
      "name_request.approved",
      { type: "name_request", id: publicId("nrq", request.id) },
      { subjectId, reissued: academic.length },
    );
    return nameRequestView(await loadNameRequest(ctx, request.id));
  },
});
