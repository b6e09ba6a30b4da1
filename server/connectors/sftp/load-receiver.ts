import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { loadConnector } from "../load";

export interface Receiver {
  id: Id<"con">;
  user: string;
  hasPassword: boolean;
  passwordAt: Date | null;
}

/** Loads a connector that receives files by SFTP. @throws DomainError not_found; connector_type for any other connector */
export async function loadReceiver(ctx: Ctx, id: Id<"con">, lock: "" | "FOR UPDATE" = ""): Promise<Receiver> {
  const connector = await loadConnector(ctx, id, lock);
  const [row] = await reading(ctx).sql<{ sftp_user: string | null; sftp_hash: string | null; sftp_at: Date | null }>(
    `SELECT sftp_user, sftp_hash, sftp_at FROM connectors WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, connector.id],
  );
  if (!row?.sftp_user)
    throw new DomainError(
      "connector_type",
      "This connector receives no files by SFTP. Create a connector of type sftp with the direction receive in its settings.",
    );
  return { id: connector.id, user: row.sftp_user, hasPassword: row.sftp_hash !== null, passwordAt: row.sftp_at };
}
