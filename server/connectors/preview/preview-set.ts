import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { areTooLarge, overgrown } from "@/server/subjects/attributes";
import { erasedAmong, selectErasureKey, subjectErased, type ErasureKeyRow } from "@/server/subjects/erased";
import type { UpsertInput } from "@/server/subjects/input";
import type { SubjectRow } from "@/server/subjects/view";
import { previewGroups, type GroupChange } from "../groups/preview";
import type { CellError, FieldName } from "../map-row";
import type { RunConfig } from "../run/config";
import { decide, duplicate, refusedBy } from "../run/decide";
import type { Precedence } from "../run/precedence";
import type { FeedRow } from "../run/read-row";
import { resolve, type Known } from "../run/resolve";
import type { PreviewRow } from "./view";

/** The connector to preview with; `connectorId` is null for a mapping that belongs to no connector yet. */
export interface PreviewFeed {
  connectorId: Id<"con"> | null;
  config: RunConfig;
  precedence: Precedence[];
  /** How many rows have each e-mail address, in lower case; counted if people are adopted by address. */
  addresses: Map<string, number>;
}

/** The people of earlier rows of the file. */
export interface Seen {
  keys: Set<string>;
  externalIds: Set<string>;
  /** How many memberships would end that count against the limit. */
  ending: number;
  /** How the counts differ if the run is held: without the changes that wait for approval. */
  ifHeld: { updated: number; unchanged: number };
}

type Stored = Pick<SubjectRow, "id" | "display_name" | "email" | "status" | "attributes" | "erased_at"> & {
  merged: SubjectRow["attributes"];
};

interface Decided {
  row: FeedRow;
  input: UpsertInput;
  known: Known | null;
  left: FieldName[];
}

/** Previews a batch of rows in order. Makes the same decisions as run/apply.ts without writing. */
export async function previewSet(ctx: TxCtx, feed: PreviewFeed, rows: FeedRow[], seen: Seen): Promise<PreviewRow[]> {
  const results = new Map<FeedRow, PreviewRow>();
  const reject = (row: FeedRow, errors: CellError[]) =>
    results.set(row, {
      line: row.line,
      externalId: row.key,
      displayName: null,
      action: "reject",
      changes: [],
      ownedElsewhere: [],
      errors,
    });
  const valid = rows.filter((row) => {
    const again = row.key !== null && seen.keys.has(row.key);
    if (row.key !== null) seen.keys.add(row.key);
    if (again) reject(row, [duplicate, ...row.errors]);
    else if (!row.input) reject(row, row.errors);
    else return true;
    return false;
  });
  const found = await resolve(
    ctx,
    feed.connectorId,
    valid.map(({ key, input }) => ({
      key: key!,
      email: feed.config.adopt === "email" ? (input!.email ?? null) : null,
      isShared: (feed.addresses.get(input!.email?.toLowerCase() ?? "") ?? 0) > 1,
    })),
    feed.precedence.map(({ id }) => id),
  );
  const decided = valid.flatMap((row, i): Decided[] => {
    const { externalId: _, ...fields } = row.input!;
    const decision = decide(feed.config, feed.precedence, { key: row.key!, fields }, found[i]!);
    if ("error" in decision || seen.externalIds.has(decision.input.externalId)) {
      reject(row, ["error" in decision ? decision.error : duplicate]);
      return [];
    }
    seen.externalIds.add(decision.input.externalId);
    return [{ row, ...decision }];
  });
  const stored = await readStored(ctx, decided);
  const regrouped = await groupChanges(ctx, feed, decided);
  const erased = await erasedOf(ctx, decided);
  for (const { row, input, known, left } of decided) {
    const before = known && stored.get(known.id)!;
    const attributes = before ? before.merged : withoutEmpty(input.attributes ?? {});
    if (before?.erased_at || erased.has(input.externalId)) reject(row, [refusedBy(subjectErased())]);
    else if (areTooLarge(attributes)) reject(row, [refusedBy(overgrown())]);
    else {
      const groups = regrouped.get(row);
      seen.ending += groups?.ending ?? 0;
      const result = outcome(input, before, attributes);
      if (before) countIfHeld(seen.ifHeld, result, groups);
      results.set(row, {
        line: row.line,
        ...withGroups(result, groups),
        ownedElsewhere: left,
        errors: [],
      });
    }
  }
  return rows.map((row) => results.get(row)!);
}

/** Loads the people of these rows with their current attributes, and with the attributes after the rows are applied. */
async function readStored(ctx: TxCtx, decided: Decided[]): Promise<Map<Id<"sub">, Stored>> {
  const given = decided.flatMap(({ known, input }) =>
    known ? [{ id: known.id, attributes: input.attributes ?? {} }] : [],
  );
  if (given.length === 0) return new Map();
  const rows = await ctx.tx.sql<Stored>(
    `SELECT s.*, merge_attributes(s.attributes, given.attributes) AS merged
     FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, attributes jsonb)
     CROSS JOIN LATERAL (SELECT id, display_name, email, status, attributes, erased_at FROM subjects WHERE org_id = $1 AND id = given.id OFFSET 0) s`,
    [ctx.orgId, JSON.stringify(given)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function groupChanges(ctx: TxCtx, feed: PreviewFeed, decided: Decided[]): Promise<Map<FeedRow, GroupChange>> {
  if (!feed.config.mapping.groups) return new Map();
  const changes = await previewGroups(
    ctx,
    feed.connectorId,
    decided.map(({ row, known, input }) => ({
      subjectId: known?.id ?? null,
      names: row.groups ?? [],
      isActive: known?.status === "active",
      ends: input.status === "inactive",
    })),
  );
  return new Map(decided.flatMap(({ row }, i) => (changes[i] ? [[row, changes[i]]] : [])));
}

/** A row that only changes its person's groups is an update. Groups are compared with those that the connector gave. */
function withGroups(row: Outcome, groups: GroupChange | undefined): Outcome {
  if (!groups) return row;
  const value = (names: string[]) => (names.length > 0 ? names : null);
  return {
    ...row,
    action: row.action === "none" ? "update" : row.action,
    changes: [...row.changes, { field: "groups", from: value(groups.from), to: value(groups.to) }],
  };
}

/** Counts the row of a known person without a deactivation and ends of memberships that would wait for approval. */
function countIfHeld(counts: Seen["ifHeld"], { action, changes }: Outcome, groups: GroupChange | undefined): void {
  const ends = action === "deactivate";
  const changesMore = (groups && !groups.waits) || changes.length > (ends ? 1 : 0);
  if (ends) counts[changesMore ? "updated" : "unchanged"]++;
  else if (groups && !changesMore) {
    counts.updated--;
    counts.unchanged++;
  }
}

/** Finds which of the new people were erased earlier under the same externalId. */
async function erasedOf(ctx: TxCtx, decided: Decided[]): Promise<Set<string>> {
  const [key] = await ctx.tx.sql<ErasureKeyRow>(selectErasureKey, [ctx.orgId]);
  return erasedAmong(
    ctx,
    key,
    decided.flatMap(({ known, input }) => (known ? [] : [input.externalId])),
  );
}

type Outcome = Pick<PreviewRow, "externalId" | "displayName" | "action" | "changes">;

function outcome(input: UpsertInput, before: Stored | null, attributes: SubjectRow["attributes"]): Outcome {
  const after = {
    display_name: input.displayName ?? before?.display_name ?? "",
    email: input.email === undefined ? (before?.email ?? null) : input.email || null,
    status: input.status ?? before?.status ?? "active",
    attributes,
  };
  const changes = changesOf(before && fieldsOf(before), fieldsOf(after));
  const ends = before?.status === "active" && after.status === "inactive";
  return {
    externalId: input.externalId,
    displayName: after.display_name,
    action: !before ? "create" : ends ? "deactivate" : changes.length > 0 ? "update" : "none",
    changes,
  };
}

const fieldsOf = (of: Pick<SubjectRow, "display_name" | "email" | "status" | "attributes">): [string, unknown][] => [
  ["displayName", of.display_name || null],
  ["email", of.email],
  ["status", of.status],
  ...Object.entries(of.attributes).map(([name, value]): [string, unknown] => [`attributes.${name}`, value]),
];

function changesOf(before: [string, unknown][] | null, after: [string, unknown][]): PreviewRow["changes"] {
  const [was, is] = [new Map(before ?? []), new Map(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => {
    const [from, to] = [was.get(field) ?? null, is.get(field) ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
  });
}

const withoutEmpty = (attributes: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
