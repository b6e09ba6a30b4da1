import { join } from "node:path";
import { publicId, type Id } from "@/server/core/ids";
import { sql } from "../db";
import { env } from "../env";
import { transaction, type Tx } from "../transaction";
import type { BlobDriver, OpenBlob } from "./driver";
import { fileDriver } from "./file-driver";
import { s3Driver } from "./s3-driver";
import { removeStaleFiles } from "./stale-files";
import { uploadsFolder, type Upload } from "./upload";

/** A blob without a referring row is kept this long, because the transaction that will refer to it may not be done. */
export const blobGraceMs = 60 * 60_000;

let current: BlobDriver | undefined;

function driver(): BlobDriver {
  return (current ??= driverOf(env()));
}

function driverOf({
  DATA_DIR,
  S3_BUCKET,
  S3_ENDPOINT,
  S3_REGION,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  S3_PATH_STYLE,
}: ReturnType<typeof env>): BlobDriver {
  if (!S3_BUCKET) return fileDriver(join(DATA_DIR, "blobs"));
  return s3Driver({
    endpoint: S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID!,
    secretAccessKey: S3_SECRET_ACCESS_KEY!,
    pathStyle: S3_PATH_STYLE,
  });
}

/**
 * The key of a blob: its hash, below its organisation, so that no organisation can read or probe another one's blobs.
 */
export const blobKey = (orgId: Id<"org">, sha256: string) =>
  `${publicId("org", orgId)}/${sha256.slice(0, 2)}/${sha256}`;

/**
 * Stores a file under its SHA-256, outside any transaction. Its row in `blobs` is written first, so that the sweep
 * finds the file if the process is killed before another row refers to it. Refer to it within blobGraceMs.
 */
export async function storeBlob(orgId: Id<"org">, file: Upload): Promise<string> {
  await sql(
    `INSERT INTO blobs AS b (org_id, sha256, size, idle_since) VALUES ($1, $2, $3, now())
     ON CONFLICT (org_id, sha256) DO UPDATE SET idle_since = CASE WHEN b.idle_since IS NULL THEN NULL ELSE now() END`,
    [orgId, file.sha256, file.size],
  );
  const key = blobKey(orgId, file.sha256);
  if (!(await driver().exists(key))) await driver().put(key, file);
  return file.sha256;
}

/** Opens a blob; null if the store does not have it. */
export function openBlob(orgId: Id<"org">, sha256: string): Promise<OpenBlob | null> {
  return driver().open(blobKey(orgId, sha256));
}

const batchSize = 100;

/**
 * Deletes one batch of blobs that had no referring row for blobGraceMs, and uploads that a killed process left behind.
 * The bytes are deleted while the row in `blobs` is locked: a concurrent storeBlob() of the same file waits, and then
 * stores it again. If the store does not delete a blob, that blob goes to the end of the line and the batch ends there,
 * so that one blob never keeps all others.
 * @param referring the tables that refer to blobs, each with the columns org_id and sha256
 * @returns how many were deleted, and whether there may be more
 * @throws DomainError unavailable if the store did not delete a blob; those before it are deleted
 */
export async function sweepBlobs(referring: readonly string[]): Promise<{ removed: number; more: boolean }> {
  const before = new Date(Date.now() - blobGraceMs);
  await Promise.all([removeStaleFiles(uploadsFolder(), before), driver().removeStale?.(before)]);
  const { failure, ...swept } = await transaction((tx) => sweepBatch(tx, referring, before));
  if (failure) throw failure.error;
  return swept;
}

async function sweepBatch(
  tx: Tx,
  referring: readonly string[],
  before: Date,
): Promise<{ removed: number; more: boolean; failure?: { error: unknown } }> {
  const idle = await tx.sql<{ org_id: Id<"org">; sha256: string; used: boolean }>(
    `SELECT b.org_id, b.sha256, ${referring.map((table) => `EXISTS (SELECT FROM ${table} r WHERE r.org_id = b.org_id AND r.sha256 = b.sha256)`).join(" OR ")} AS used
     FROM blobs b WHERE b.idle_since < $1 ORDER BY b.idle_since LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [before, batchSize],
  );
  let removed = 0;
  for (const { org_id, sha256, used } of idle) {
    const key = [org_id, sha256];
    if (used) {
      await tx.sql(`UPDATE blobs SET idle_since = NULL WHERE org_id = $1 AND sha256 = $2`, key);
      continue;
    }
    try {
      await driver().delete(blobKey(org_id, sha256));
    } catch (error) {
      await tx.sql(`UPDATE blobs SET idle_since = now() WHERE org_id = $1 AND sha256 = $2`, key);
      return { removed, more: true, failure: { error } };
    }
    await tx.sql(`DELETE FROM blobs WHERE org_id = $1 AND sha256 = $2`, key);
    removed++;
  }
  return { removed, more: idle.length === batchSize };
}
