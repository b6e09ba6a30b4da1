import type { PrivateKey } from "openpgp";
import { openBlob } from "@/server/core/blobs/store";
import { jobCommand } from "@/server/core/operation";
import { convert, type Converted } from "../file/convert";
import { expandedLimit } from "../file/decode";
import { FileError } from "../file/file-error";
import type { Source } from "../file/read-csv";
import { columnsOf } from "../map-row";
import { holds, job, type Claimed, type FetchMandate } from "./lease";
import type { Work } from "./work";

/** Opens the file of a run from its beginning. */
export const blobSource =
  ({ org_id }: Pick<Work, "org_id">, sha256: string): Source =>
  async () => {
    const blob = await openBlob(org_id, sha256);
    if (!blob) throw new FileError("file_lost", "The server no longer has the file. Upload it again.");
    return blob.chunks;
  };

/**
 * Converts the file of a run, which is a workbook, JSON lines, an archive or encrypted, to CSV.
 * @throws FileError, or the signal's reason
 */
export const unpack = (
  work: Claimed,
  { sha256, pgpKey }: { sha256: string; pgpKey: PrivateKey | null },
  signal: AbortSignal,
): Promise<Converted | null> =>
  convert(blobSource(work, sha256), {
    pgpKey,
    columns: columnsOf(work.config.mapping),
    mode: work.config.mode,
    limit: expandedLimit,
    signal,
  });

/** Passes the converted file to staging. The digest of the run stays that of the original file. */
export const handUnpacked = jobCommand<FetchMandate & { sha256: string; isNumbered: boolean }, null>({
  ...job,
  name: "connectors.unpacked",
  async run(ctx, { work, sha256, isNumbered }) {
    if (!(await holds(ctx, work))) return null;
    await ctx.tx.sql(
      `UPDATE connector_runs SET phase = 'staging', sha256 = $3, progress = $4, attempts = 0, claim_id = NULL, lease_until = NULL WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, work.id, sha256, { unpacked: { isNumbered } }],
    );
    ctx.tx.nudgeAfterCommit("connectors");
    return null;
  },
});
