import { z } from "zod";
import { audit } from "@/server/access/audit";
import { askPersonAgain } from "@/server/confirmations/ask-again";
import { publicId } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { decideNameRequest, loadNameRequest } from "./load-name-request";
import { nameRequestView } from "./name-request-view";

/**
 * Rejects a name request with a reason that is shown to the holder. A holder who has yet to confirm the name for a
 * credential gets a new link. Leaves an audit entry.
 */
export const rejectName = command({
  name: "name_requests.reject",
  scope: "subjects:write",
  input: z.strictObject({
    id: id("nrq"),
    reason: line(500).min(1, "must not be empty").meta({ description: "The reason, which is shown to the holder." }),
  }),
  async run(ctx, { id: requestId, reason }) {
    const request = await loadNameRequest(ctx, requestId);
    await decideNameRequest(ctx, request.id, "rejected", reason);
    await askPersonAgain(ctx, request.subject_id);
    await audit(ctx, "name_request.rejected", { type: "name_request", id: publicId("nrq", request.id) });
    return nameRequestView(await loadNameRequest(ctx, request.id));
  },
});
