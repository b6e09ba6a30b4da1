import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

/** Lists when each directory sent its last request, among the stored requests. */
export const listLastRequests = query({
  name: "connectors.directory.last_requests",
  scope: "connectors:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<{ id: Id<"con">; at: Date }>(
      `SELECT c.id, request.at FROM (SELECT id FROM connectors WHERE org_id = $1 AND type = 'scim' AND deleted_at IS NULL) c
       CROSS JOIN LATERAL (
         SELECT at FROM scim_requests WHERE org_id = ${opaque("$1")} AND connector_id = c.id ORDER BY id DESC LIMIT 1
       ) request`,
      [ctx.orgId],
    );
    return rows.map(({ id, at }) => ({ connectorId: publicId("con", id), at: at.toISOString() }));
  },
});
