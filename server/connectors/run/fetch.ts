import type { Upload } from "@/server/core/blobs/upload";
import { storeBlob } from "@/server/core/blobs/store";
import type { TxCtx } from "@/server/core/context";
import { asBackground } from "@/server/core/db";
import { log } from "@/server/core/log";
import { jobCommand } from "@/server/core/operation";
import { transaction } from "@/server/core/transaction";
import { FileError } from "../file/file-error";
import { pull, type Pulling } from "../http/pull";
import { PullError } from "../http/pull-error";
import { openSecret } from "../http/secret";
import type { HttpSettings } from "../http/settings";
import type { Pause } from "../sftp/choose-file";
import type { Origin } from "../sftp/origin";
import { pullFile, TakenFileError, type SftpPulling } from "../sftp/pull-file";
import type { RemoteFile } from "../sftp/remote";
import type { SftpFetchSettings } from "../sftp/settings";
import { columnsOf } from "../map-row";
import { openPgpKey } from "../pgp/key";
import { connectorColumns, type ConnectorRow } from "../view";
import { configOf } from "./config";
import { claimRun, extendLease, holds, job, leaseMs, type Claimed, type FetchMandate } from "./lease";
import { giveUp } from "./stop";
import { handUnpacked, unpack } from "./unpack";
import { advance, fail, mandateOf, type Work } from "./work";

/** The time limit of a fetch, in milliseconds. */
const fetchMs = 15 * 60_000;
/** How often a fetch is started. If this many processes died during it, the fetch itself is probably the cause. */
const maxAttempts = 3;
/** A pull of changes starts this long before the last one, because clocks differ and the source may commit changes late. */
const overlapMs = 5 * 60_000;

/**
 * Fetches the file of the next run that waits for one, or converts its file to CSV, and passes it to staging. Because this
 * waits for other servers, it holds a lease instead of a transaction. A failure ends the run and changes nobody.
 * @returns false if no run waits
 */
export function fetchNext(now: Date, options: FetchOptions = {}): Promise<boolean> {
  return asBackground(() => fetchOne(now, options));
}

interface FetchOptions {
  /** Waits between the two listings of a folder. Replaced in tests. */
  pause?: Pause;
}

/** The request of a run, by the type of its connector; `stored` for a file that only needs conversion. */
type Asked = { http: Omit<Pulling, "signal"> } | { sftp: Omit<SftpPulling, "signal"> } | Stored;

interface Stored {
  stored: { sha256: string; sealedPgpKey: Buffer | null };
}

async function fetchOne(now: Date, { pause }: FetchOptions): Promise<boolean> {
  const work = await claimRun(now);
  if (!work) return false;
  const aborter = new AbortController();
  const deadline = AbortSignal.timeout(fetchMs);
  const signal = AbortSignal.any([aborter.signal, deadline]);
  const keeper = setInterval(() => {
    extendLease(work).then(
      (isHeld) => !isHeld && aborter.abort(),
      (error: unknown) => log().error({ err: error }, "the lease of a fetch could not be extended"),
    );
  }, leaseMs / 4);
  try {
    const asked = await transaction((tx) => prepare(tx, mandateOf(work), now));
    if (!asked) return true;
    await ending(work, { signal, deadline }, () =>
      "stored" in asked
        ? unpackFor(work, asked.stored, signal)
        : fetchFor(work, (at) => fetchFrom(asked, at, pause), signal),
    );
  } finally {
    clearInterval(keeper);
  }
  return true;
}

interface Fetched {
  file: Upload;
  origin: Origin | null;
}

/** @returns null if the source has no new file */
async function fetchFrom(
  asked: Exclude<Asked, Stored>,
  signal: AbortSignal,
  pause: Pause | undefined,
): Promise<Fetched | null> {
  if ("sftp" in asked) return pullFile({ ...asked.sftp, signal, pause });
  return { file: await pull({ ...asked.http, signal }), origin: null };
}

async function fetchFor(
  work: Claimed,
  fetch: (signal: AbortSignal) => Promise<Fetched | null>,
  signal: AbortSignal,
): Promise<void> {
  const fetched = await fetch(signal);
  if (!fetched) return void (await transaction((tx) => endEmpty(tx, mandateOf(work), new Date())));
  const { file, origin } = fetched;
  try {
    const sha256 = await storeBlob(work.org_id, file);
    await transaction((tx) => hand(tx, { ...mandateOf(work), sha256, origin }, new Date()));
  } finally {
    await file.discard();
  }
}

async function unpackFor(
  work: Claimed,
  { sha256, sealedPgpKey }: Stored["stored"],
  signal: AbortSignal,
): Promise<void> {
  const pgpKey = sealedPgpKey && (await openPgpKey(work.connector_id, sealedPgpKey));
  const converted = await unpack(work, { sha256, pgpKey }, signal);
  try {
    const stored = converted && (await storeBlob(work.org_id, converted.file));
    const isNumbered = converted?.isNumbered ?? false;
    await transaction((tx) =>
      handUnpacked(tx, { ...mandateOf(work), sha256: stored ?? sha256, isNumbered }, new Date()),
    );
  } finally {
    await converted?.file.discard();
  }
}

/** Runs the work, and ends the run if the work fails because of its source or its file. */
async function ending(
  work: Claimed,
  { signal, deadline }: { signal: AbortSignal; deadline: AbortSignal },
  doWork: () => Promise<void>,
): Promise<void> {
  try {
    await doWork();
  } catch (error) {
    // Another process has leased the run, or somebody cancelled it.
    if (signal.aborted && !deadline.aborted) return;
    const why = deadline.aborted
      ? new PullError("timeout", `${tooSlow[work.phase as keyof typeof tooSlow]} Nobody was changed.`)
      : error;
    if (!(why instanceof PullError || why instanceof FileError)) throw error;
    await transaction((tx) => endFetch(tx, { ...mandateOf(work), why }, new Date()));
  }
}

const tooSlow = {
  fetching: `The source did not send everything within ${fetchMs / 60_000} minutes.`,
  unpacking: `The file could not be unpacked within ${fetchMs / 60_000} minutes.`,
};

/** Builds the request from the connector's current settings; null if the run must not continue. */
const prepare = jobCommand<FetchMandate, Asked | null>({
  ...job,
  name: "connectors.fetch",
  async run(ctx, { work }) {
    if (!(await holds(ctx, work))) return null;
    if (work.attempts > maxAttempts) {
      await giveUp(ctx, work, maxAttempts);
      return null;
    }
    const [connector] = await ctx.tx.sql<ConnectorRow & { secret: Buffer | null; pgp_key: Buffer | null }>(
      `SELECT ${connectorColumns}, secret, pgp_key FROM connectors WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, work.connector_id],
    );
    if (work.phase === "unpacking") return { stored: { sha256: work.sha256!, sealedPgpKey: connector!.pgp_key } };
    const config = configOf(connector!);
    await ctx.tx.sql(`UPDATE connector_runs SET config = $3 WHERE org_id = $1 AND id = $2`, [
      ctx.orgId,
      work.id,
      config,
    ]);
    const secret = openSecret(work.connector_id, connector!.secret);
    if (config.type === "sftp")
      return { sftp: { settings: config.settings as SftpFetchSettings, secret, left: await leftFiles(ctx, work) } };
    return {
      http: {
        settings: config.settings as HttpSettings,
        secret,
        columns: columnsOf(config.mapping),
        mode: config.mode,
        since: await lastPull(ctx, work, config),
      },
    };
  },
});

const leftAtMost = 1_000;

/** Lists the files that earlier runs took but could not move. A new file with the same name differs in its time. */
async function leftFiles(ctx: TxCtx, work: Work): Promise<RemoteFile[]> {
  const rows = await ctx.tx.sql<{ origin: Origin }>(
    `SELECT origin FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND origin ? 'problem' ORDER BY id DESC LIMIT ${leftAtMost}`,
    [ctx.orgId, work.connector_id],
  );
  return rows.map(({ origin: { name, size, modifiedAt } }) => ({ name, size, modifiedAt: new Date(modifiedAt) }));
}

/**
 * When the last successful pull with the same settings, mapping and adoption began; null if there is none. After a change
 * of the mapping or of whom rows may take over, everybody must be read again: rows that were rejected before are no change
 * of the source.
 */
async function lastPull(ctx: TxCtx, work: Work, { settings, mapping, adopt }: Work["config"]): Promise<Date | null> {
  const [row] = await ctx.tx.sql<{ started_at: Date }>(
    `SELECT started_at FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'succeeded' AND trigger NOT IN ('upload', 'undo') AND undone_by IS NULL
       AND config -> 'settings' = $3::jsonb AND config -> 'mapping' = $4::jsonb AND config ->> 'adopt' = $5 ORDER BY id DESC LIMIT 1`,
    [ctx.orgId, work.connector_id, settings, mapping, adopt],
  );
  return row ? new Date(row.started_at.getTime() - overlapMs) : null;
}

/** Passes the fetched file to staging. */
const hand = jobCommand<FetchMandate & { sha256: string; origin: Origin | null }, null>({
  ...job,
  name: "connectors.fetched",
  async run(ctx, { work, sha256, origin }) {
    if (!(await holds(ctx, work))) return null;
    await ctx.tx.sql(
      `UPDATE connector_runs SET phase = 'staging', sha256 = $3, digest = $3, attempts = 0, claim_id = NULL, lease_until = NULL,
         origin = $4::jsonb, filing_at = CASE WHEN $4::jsonb IS NOT NULL THEN $5::timestamptz END WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, work.id, sha256, origin, ctx.now],
    );
    ctx.tx.nudgeAfterCommit("connectors");
    return null;
  },
});

/** Ends a run successfully because its source has no new file. finish() leaves the audit entry. */
const endEmpty = jobCommand<FetchMandate, null>({
  ...job,
  name: "connectors.fetched_nothing",
  async run(ctx, { work }) {
    if (!(await holds(ctx, work))) return null;
    await ctx.tx.sql(
      `UPDATE connector_runs SET attempts = 0, claim_id = NULL, lease_until = NULL WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, work.id],
    );
    await advance(ctx, work, { phase: "finishing", progress: { final: "succeeded", noted: true } });
    ctx.tx.nudgeAfterCommit("connectors");
    return null;
  },
});

/** Ends a run with an error of its source or file. finish() leaves the audit entry. */
const endFetch = jobCommand<FetchMandate & { why: PullError | FileError }, null>({
  ...job,
  name: "connectors.fetch_failed",
  async run(ctx, { work, why }) {
    if (!(await holds(ctx, work))) return null;
    await fail(ctx, work, why instanceof FileError ? why.toJSON() : why.asRunError());
    if (why instanceof TakenFileError)
      await ctx.tx.sql(`UPDATE connector_runs SET origin = $3, filing_at = $4 WHERE org_id = $1 AND id = $2`, [
        ctx.orgId,
        work.id,
        why.origin,
        ctx.now,
      ]);
    ctx.tx.nudgeAfterCommit("connectors");
    return null;
  },
});
