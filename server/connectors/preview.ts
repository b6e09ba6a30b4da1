import { createHash } from "node:crypto";
import { z } from "zod";
import { upload } from "@/server/core/blobs/upload-input";
import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { transaction } from "@/server/core/transaction";
import { Turns } from "@/server/core/turns";
import { convert, settingsFor, sourceOf } from "./file/convert";
import { FileError } from "./file/file-error";
import { readRecords, type Source } from "./file/read-csv";
import { isRejectedFile } from "./file/rejected-file";
import { connectorFields, limits, parseSettings } from "./input";
import { guardedGroups } from "./groups/guarded-groups";
import { countMissingMemberships } from "./groups/preview";
import { loadConnector } from "./load";
import { columnsOf } from "./map-row";
import { countLeaving, countMissing, listLeaving, listMissing } from "./preview/missing";
import { previewSet, type PreviewFeed, type Seen } from "./preview/preview-set";
import { previewActions, type PreviewAction, type PreviewRow, type PreviewView } from "./preview/view";
import { configOf } from "./run/config";
import { holdOf, limitOf, signOfCutOff } from "./run/hold";
import { countFilled, emptiableFields, isLoss, type Filled } from "./run/filled";
import { lossMessage } from "./run/lost-values";
import { precedenceOf } from "./run/precedence";
import { rejectedAsCutOff, rowReader, type FeedRow } from "./run/read-row";
import { begin } from "./run/stage";
import type { SeenFile } from "./run/work";
import type { CsvSettings } from "./types";
import { loadPgpKey } from "./pgp/load-key";
import { takesNoFiles } from "./upload";

/** The largest file to preview in bytes, as it is sent; after decompression, 8 times as much is allowed. */
export const previewLimit = 10 * 1024 * 1024;
const unpackedLimit = 8 * previewLimit;
const rowLimit = 50_000;
const contentLimit = 1_000_000;
const setSize = 1_000;

/** A preview of 50,000 rows takes seconds of processor time, so a process runs only few at once. */
const turns = new Turns({ doing: "files are being previewed", atOnce: 2, each: 1, all: 20, waitMs: 20_000 });

/**
 * Previews a file (contract section 11): which people it would create, update (field by field), leave unchanged or
 * deactivate, and which rows it would reject. Writes nothing and stores no part of the file; for the next page, send the
 * file again with the cursor. Requires subjects:read too, because the result names people.
 *
 * @throws DomainError payload_too_large for a file of more than 50,000 rows
 */
export const previewConnector = query({
  name: "connectors.preview",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    connectorId: id("con")
      .optional()
      .meta({ description: "The connector whose settings and mapping to use. Send either this or mapping." }),
    mapping: connectorFields.mapping.optional(),
    settings: connectorFields.settings
      .optional()
      .meta({ description: "Encoding and delimiter; only together with mapping." }),
    content: z.string().min(1).max(contentLimit).optional().meta({ description: "The file as text, in JSON." }),
    file: upload.optional(),
    mode: z.literal("delta").optional().meta({
      description:
        "With connectorId: delta previews the file as an upload with mode delta, which lists only some people.",
    }),
    actions: z
      .array(z.enum(previewActions))
      .min(1)
      .max(previewActions.length)
      .default([...previewActions])
      .meta({ description: "Which results to return in data. All unless sent." }),
    ...page,
  }),
  async run(ctx, input) {
    const feed = await feedOf(ctx, input);
    const { source, digest } = sentFile(input);
    return turns.take(ctx.orgId, async (): Promise<PreviewView> => {
      let whole: Promise<Previewed> | undefined;
      const { connectorId, config } = feed;
      const found = await paginate(input, {
        binding: [ctx.orgId, "connector_preview", connectorId, config, digest, input.actions],
        fetch: ({ after, take, skip }) => {
          const from = after === null ? skip : Number(after) + 1;
          whole = preview(ctx, feed, source, { actions: input.actions, from, to: from + take });
          return whole.then(({ rows }) => rows);
        },
        count: async () => (await whole!).total,
        keyOf: ({ place }) => String(place),
      });
      const { counts, hold, error } = await whole!;
      return { counts, hold, errorSummary: error, ...found, data: found.data.map(({ row }) => row) };
    });
  },
});

interface Previewed extends Pick<PreviewView, "counts" | "hold"> {
  error: PreviewView["errorSummary"];
  /** The rows of the page, each with its position among all requested rows. */
  rows: { place: number; row: PreviewRow }[];
  /** The number of all requested rows. */
  total: number;
}

interface Window {
  actions: PreviewAction[];
  from: number;
  to: number;
}

async function preview(ctx: Ctx, feed: PreviewFeed, source: Source, window: Window): Promise<Previewed> {
  try {
    return await readThrough(ctx, feed, source, window);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { counts: { ...noCounts }, hold: null, error: error.toJSON(), rows: [], total: 0 };
  }
}

const noCounts = { rows: 0, created: 0, updated: 0, unchanged: 0, deactivated: 0, rejected: 0, held: 0 };
const countOf = {
  create: "created",
  update: "updated",
  none: "unchanged",
  deactivate: "deactivated",
  reject: "rejected",
} as const;

async function readThrough(ctx: Ctx, feed: PreviewFeed, source: Source, window: Window): Promise<Previewed> {
  const { config, connectorId } = feed;
  const seen: Seen = { keys: new Set(), externalIds: new Set(), ending: 0, ifHeld: { updated: 0, unchanged: 0 } };
  const done: Previewed = { counts: { ...noCounts }, hold: null, error: null, rows: [], total: 0 };
  const fields = emptiableFields(config.mapping);
  const filled: Filled = { rows: 0, by: {} };
  const emptied: Record<string, number> = {};
  const take = async (batch: FeedRow[]) => {
    for (const { input, groups } of batch) if (input) countFilled(filled, fields, input, groups);
    for (const row of await transaction((tx) => previewSet({ ...ctx, tx }, feed, batch, seen))) {
      done.counts[countOf[row.action]]++;
      for (const { field, from, to } of row.changes)
        if (from !== null && to === null) emptied[field] = (emptied[field] ?? 0) + 1;
      if (!window.actions.includes(row.action)) continue;
      if (done.total >= window.from && done.total < window.to) done.rows.push({ place: done.total, row });
      done.total++;
    }
  };
  if (config.adopt === "email") await countAddresses(ctx, feed, source);
  const { file, unknown } = await readFile(ctx, feed, source, done.counts, take);
  if (connectorId === null) return done;
  const inactive = done.counts.deactivated;
  const keys = [...seen.keys];
  const mode = modeOf(config, file);
  const endsMissing = mode === "full" && config.missing === "deactivate";
  await transaction(async (tx) => {
    const missing = endsMissing ? await countMissing({ ...ctx, tx }, connectorId, keys) : 0;
    const run = { id: newId("run"), connector_id: connectorId, config: { ...config, mode } };
    const memberships = {
      row: seen.ending,
      missing:
        endsMissing && config.mapping.groups ? await countMissingMemberships({ ...ctx, tx }, connectorId, keys) : 0,
    };
    done.hold = await holdOf({ ...ctx, tx }, run, { missing, inactive, memberships, unknown, file });
    done.counts.deactivated += missing;
    if (done.hold)
      done.counts = {
        ...done.counts,
        updated: done.counts.updated + seen.ifHeld.updated,
        unchanged: done.counts.unchanged + seen.ifHeld.unchanged,
        deactivated: 0,
        held: done.counts.deactivated + memberships.row + memberships.missing,
      };
    const lost = fields
      .map((name) => ({ name, filled: filled.by[name] ?? 0, emptied: emptied[name] ?? 0 }))
      .filter(isLoss);
    if (lost.length > 0) {
      const { limit } = await limitOf({ ...ctx, tx }, run);
      done.hold = { reason: "lost_values", message: lossMessage(config.mapping, lost), limit, memberships: 0 };
    }
    const guarded = done.hold ? await guardedGroups({ ...ctx, tx }, connectorId) : [];
    const leaving =
      endsMissing && config.mapping.groups ? await countLeaving({ ...ctx, tx }, connectorId, keys, guarded) : 0;
    done.counts.updated += leaving;
    const listAtEnd = async (
      action: PreviewAction,
      n: number,
      list: (page: { skip: number; take: number }) => Promise<PreviewRow[]>,
    ) => {
      if (!window.actions.includes(action)) return;
      const skip = Math.max(0, window.from - done.total);
      const room = window.to - Math.max(window.from, done.total);
      if (n > 0 && room > 0)
        for (const [i, row] of (await list({ skip, take: room })).entries())
          done.rows.push({ place: done.total + skip + i, row });
      done.total += n;
    };
    await listAtEnd("deactivate", missing, (at) => listMissing({ ...ctx, tx }, connectorId, keys, at));
    await listAtEnd("update", leaving, (at) => listLeaving({ ...ctx, tx }, connectorId, keys, guarded, at));
  });
  return done;
}

/** A corrected file of rejected rows lists only some people (docs/decisions/439). */
const modeOf = ({ mode }: Pick<PreviewFeed["config"], "mode">, { headers }: SeenFile) =>
  isRejectedFile(headers) ? "delta" : mode;

/** Reads the file once for the addresses that several rows have: they find nobody (run/resolve.ts). */
async function countAddresses(ctx: Ctx, feed: PreviewFeed, source: Source): Promise<void> {
  const keys = new Set<string>();
  await readFile(ctx, feed, source, { ...noCounts }, async (batch) => {
    for (const { key, input } of batch) {
      if (!input?.email || keys.has(key!)) continue;
      keys.add(key!);
      const address = input.email.toLowerCase();
      feed.addresses.set(address, (feed.addresses.get(address) ?? 0) + 1);
    }
  });
}

interface Read {
  file: SeenFile;
  unknown: number;
}

/** Reads the rows of a file in any format, in batches. @throws FileError in the same cases as a run */
async function readFile(
  ctx: Ctx,
  feed: PreviewFeed,
  source: Source,
  counts: PreviewView["counts"],
  take: (batch: FeedRow[]) => Promise<void>,
): Promise<Read> {
  const { mapping, mode, settings } = feed.config;
  const pgpKey = feed.connectorId && (await loadPgpKey(ctx, feed.connectorId));
  const converted = await convert(source, { columns: columnsOf(mapping), mode, limit: unpackedLimit, pgpKey });
  const isNumbered = converted?.isNumbered ?? false;
  const as = { ...feed, isNumbered, settings: settingsFor(settings as CsvSettings, isNumbered) };
  try {
    return await readRows(ctx, as, converted ? sourceOf(converted.file) : source, counts, take);
  } finally {
    await converted?.file.discard();
  }
}

async function readRows(
  ctx: Ctx,
  { connectorId, config, settings, isNumbered }: PreviewFeed & { settings: CsvSettings; isNumbered: boolean },
  source: Source,
  counts: PreviewView["counts"],
  take: (batch: FeedRow[]) => Promise<void>,
): Promise<Read> {
  const position = await begin(source, { config, settings, isNumbered });
  const readRow = rowReader(config.mapping, position.headers);
  const records = readRecords(source, settings, position);
  let batch: FeedRow[] = [];
  let unknown = 0;
  let endsWithRow = false;
  const keys = new Set<string>();
  try {
    for (;;) {
      const next = await records.next();
      if (next.done) {
        const file: SeenFile = { headers: position.headers, ...next.value };
        const run = connectorId && {
          id: newId("run"),
          connector_id: connectorId,
          config: { ...config, mode: modeOf(config, file) },
        };
        const last = batch.at(-1);
        if (last && run && endsWithRow && !file.endsWithLineEnd) {
          const cutOffBy = await signOfCutOff(ctx, run, file, { key: last.key, listed: [...keys] });
          if (cutOffBy) {
            file.cutOffBy = cutOffBy;
            batch[batch.length - 1] = rejectedAsCutOff(last);
          }
        }
        await take(batch);
        if (counts.rows === 0)
          throw new FileError("no_rows", "The file has no rows below its first line. Nothing was changed.");
        return { file, unknown };
      }
      if (next.value.end.bytes > unpackedLimit || counts.rows > rowLimit) throw tooLarge();
      endsWithRow = !next.value.isBlank;
      if (next.value.isBlank) continue;
      // Check before adding the row, so that the file's last row is always in the last batch, which decides about it.
      if (batch.length >= setSize) {
        await take(batch);
        batch = [];
      }
      const row = readRow(next.value);
      counts.rows++;
      if (row.key === null) unknown++;
      else keys.add(row.key);
      batch.push(row);
    }
  } finally {
    await records.return({ endsWithLineEnd: false });
  }
}

const tooLarge = () =>
  new DomainError(
    "payload_too_large",
    `A preview reads at most ${rowLimit} rows and ${unpackedLimit} bytes of unpacked text. Preview a part of the file; an upload accepts the whole file.`,
  );

interface Sent {
  connectorId?: Parameters<typeof loadConnector>[1] | undefined;
  mapping?: PreviewFeed["config"]["mapping"] | undefined;
  settings?: Record<string, unknown> | undefined;
  mode?: "delta" | undefined;
}

async function feedOf(ctx: Ctx, { connectorId, mapping, settings, mode }: Sent): Promise<PreviewFeed> {
  if ((connectorId === undefined) === (mapping === undefined))
    throw oneOf("/mapping", "must be sent without connectorId, and left out with it", mapping !== undefined);
  if (connectorId === undefined)
    return {
      connectorId: null,
      config: {
        type: "csv",
        settings: parseSettings("csv", settings ?? {}),
        mapping: mapping!,
        mode: "delta",
        missing: "keep",
        adopt: "externalId",
        limits: limits.parse({}),
        priority: 1000,
      },
      precedence: [],
      addresses: new Map(),
    };
  if (settings)
    throw oneOf("/settings", "must be left out with connectorId, because the connector has its own settings", true);
  const connector = await loadConnector(ctx, connectorId);
  if (connector.type === "scim") throw takesNoFiles();
  const config = { ...configOf(connector), ...(mode && { mode }) };
  return {
    connectorId,
    config,
    precedence: await precedenceOf(ctx, { connector_id: connectorId, config }),
    addresses: new Map(),
  };
}

function sentFile({ content, file }: { content?: string | undefined; file?: z.output<typeof upload> | undefined }): {
  source: Source;
  digest: string;
} {
  if ((content === undefined) === (file === undefined))
    throw oneOf(
      "/content",
      "must be sent either here or as the part file of a form, and not as both",
      content !== undefined,
    );
  if (file) return { source: sourceOf(file), digest: file.sha256 };
  const bytes = Buffer.from(content!);
  return {
    source: async () =>
      (async function* () {
        yield bytes;
      })(),
    digest: createHash("sha256").update(bytes).digest("hex"),
  };
}

const oneOf = (pointer: string, message: string, isThere: boolean) =>
  invalidInput([{ pointer, code: isThere ? "exclusive" : "invalid_type", message }]);
