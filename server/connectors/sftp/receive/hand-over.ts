import { storeBlob } from "@/server/core/blobs/store";
import type { Upload } from "@/server/core/blobs/upload";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { connectorColumns, type ConnectorRow } from "../../view";
import { queueRun, requireRoom } from "../../run/queue-run";
import { paused } from "../../upload";
import { findAccount, isStill, type Account, type Credential } from "./account";

interface Received {
  name: string;
  modifiedAt: Date;
  file: Upload;
}

/**
 * Queues a run for a completely received file. It acts for the organisation, because a sender is not a member. Leaves an
 * audit entry.
 * @throws DomainError if the connector is paused or deleted, the sender has lost access, or too many files wait
 */
export async function handOver(
  { orgId, connectorId, user }: Account,
  credential: Credential,
  { name, modifiedAt, file }: Received,
): Promise<void> {
  const sha256 = await storeBlob(orgId, file);
  if (!isStill(await findAccount(user), credential)) throw ended();
  await transaction(async (tx) => {
    const [connector] = await tx.sql<ConnectorRow>(
      `SELECT ${connectorColumns} FROM connectors WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
      [orgId, connectorId],
    );
    if (!connector) throw ended();
    if (connector.status === "paused") throw paused();
    const actor = { type: "job" as const, id: publicId("con", connectorId) };
    const ctx = { orgId, actor, scopes: new Set<never>(), requestId: actor.id, now: new Date(), tx };
    await requireRoom(ctx);
    await queueRun(ctx, connector, {
      trigger: "sftp",
      actor,
      scopes: ["connectors:run"],
      file: { sha256, size: file.size },
      origin: { name, size: file.size, modifiedAt: modifiedAt.toISOString() },
    });
  });
}

const ended = () => new DomainError("invalid_credentials", "This user may no longer send files.");
