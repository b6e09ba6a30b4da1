import { z } from "zod";
import { standingOf } from "@/server/access/standing";
import { storeBlob } from "@/server/core/blobs/store";
import { upload } from "@/server/core/blobs/upload-input";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadConnector } from "./load";
import { runView } from "./run-view";
import { queueRun, requireRoom } from "./run/queue-run";

/**
 * Uploads a file to a connector and queues the run that applies it, with the connector's current mapping, settings and
 * limits, and with the rights of the uploader. Leaves an audit entry.
 */
export const uploadToConnector = command({
  name: "connectors.upload",
  scope: "connectors:run",
  input: z.strictObject({
    id: id("con"),
    file: upload,
    mode: z.literal("delta").optional().meta({
      description:
        "delta: this file lists only some people, such as corrected rows, so nobody counts as missing from it, even if the connector's other files are full.",
    }),
  }),
  standing: standingOf,
  async prepare(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    if (connector.type === "scim") throw takesNoFiles();
    if (connector.status === "paused") throw paused();
    await requireRoom(ctx);
    return storeBlob(ctx.orgId, input.file);
  },
  async run(ctx, input, sha256) {
    const connector = await loadConnector(ctx, input.id, "FOR SHARE");
    if (connector.status === "paused") throw paused();
    await requireRoom(ctx);
    const { size } = input.file;
    const row = await queueRun(ctx, connector, {
      trigger: "upload",
      actor: ctx.actor,
      scopes: ctx.scopes,
      accessToken: ctx.accessToken,
      file: { sha256, size },
      mode: input.mode,
    });
    return runView(row);
  },
});

/** The error for starting a run of a paused connector. */
export function paused(): DomainError {
  return new DomainError(
    "connector_paused",
    "The connector is paused: it neither accepts nor fetches files. Set its status to active first.",
  );
}

/** The error for sending a file to a connector of type scim. */
export function takesNoFiles(): DomainError {
  return new DomainError(
    "connector_type",
    "A directory pushes the people of this connector by SCIM. Create a connector of type csv for files.",
  );
}
