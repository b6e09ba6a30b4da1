import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { parseInput } from "@/server/core/input";
import { asRow } from "@/server/core/refused-row";
import { log } from "@/server/core/log";
import { runAction, type BulkAction } from "./bulk-actions";
import type { Source } from "./draft";
import { issueInput, type IssueInput } from "./input";
import { issueSet } from "./issue-set";
import { credentialSchema, credentialView, type CredentialView } from "./view";

/** Why a row was refused: a problem document without what is the request's own. */
export const rowErrorSchema = z
  .looseObject({
    code: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), code: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "RowError" });
export type RowError = z.infer<typeof rowErrorSchema>;

export const rowOutcomeSchema = z
  .object({
    index: z.int().meta({ description: "The row's place in items, from 0." }),
    ok: z.boolean(),
    changed: z.boolean().optional().meta({
      description:
        "Of a row that is ok: false where the credential was so already, e.g. revoked before, or returned by ifExists. Nothing was done then.",
    }),
    credential: credentialSchema.optional(),
    error: rowErrorSchema.optional(),
  })
  .meta({ id: "BulkRowOutcome" });

export type RowOutcome =
  | { index: number; ok: true; changed: boolean; credential: CredentialView }
  | { index: number; ok: false; error: RowError };

interface BulkRow {
  index: number;
  item: unknown;
}

/**
 * Does an action to each row in the caller's transaction: one that is refused leaves nothing behind and harms no other.
 * @returns the outcomes in the order of the rows.
 */
export function runRows(ctx: TxCtx, action: BulkAction, rows: BulkRow[], source: Source): Promise<RowOutcome[]> {
  return action === "issue" ? issueRows(ctx, rows, source) : runEach(ctx, action, rows);
}

/** Issues the rows as one set. Where the set fails for another reason than a refusal, each row is issued by itself. */
async function issueRows(ctx: TxCtx, rows: BulkRow[], source: Source): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  const inputs: { index: number; input: IssueInput }[] = [];
  for (const { index, item } of rows) {
    try {
      inputs.push({ index, input: parseInput(issueInput, asRow(item)) });
    } catch (error) {
      outcomes.push({ index, ok: false, error: rowError(ctx, error) });
    }
  }
  const issue = async (some: typeof inputs) => {
    const issued = await issueSet(
      ctx,
      some.map(({ input }) => input),
      source,
    );
    for (const [i, each] of issued.entries()) {
      const { index } = some[i]!;
      outcomes.push(
        "error" in each
          ? { index, ok: false, error: rowError(ctx, each.error) }
          : { index, ok: true, changed: each.created, credential: credentialView(each.row, ctx.now) },
      );
    }
  };
  await issue(inputs).catch(async () => {
    for (const each of inputs)
      await issue([each]).catch((error: unknown) =>
        outcomes.push({ index: each.index, ok: false, error: rowError(ctx, error) }),
      );
  });
  return outcomes.sort((a, b) => a.index - b.index);
}

/** Does the action row by row, each in a savepoint. */
async function runEach(ctx: TxCtx, action: Exclude<BulkAction, "issue">, rows: BulkRow[]): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  // In one order wherever they stand in their lists, so that two lists with the same people do not wait for each other
  // in a circle.
  const ordered = rows
    .map((row) => ({ ...row, key: lockKey(row.item) }))
    .sort((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -1 : 1));
  for (const { index, item } of ordered) {
    const { events } = ctx.tx;
    outcomes.push(
      await ctx.tx
        .savepoint(() => runAction(ctx, action, asRow(item)))
        .then(
          (credential) => ({ index, ok: true as const, changed: ctx.tx.events > events, credential }),
          (error: unknown) => ({ index, ok: false as const, error: rowError(ctx, error) }),
        ),
    );
  }
  return outcomes.sort((a, b) => a.index - b.index);
}

function lockKey(item: unknown): string {
  const { id } = (item ?? {}) as { id?: unknown };
  return JSON.stringify(id ?? null);
}

function rowError(ctx: TxCtx, thrown: unknown): RowError {
  const error = thrown instanceof DomainError ? thrown : unexpected(ctx, thrown);
  return {
    code: error.code,
    title: error.title,
    status: error.status,
    detail: error.message,
    ...(error.extras.errors && { errors: error.extras.errors }),
    ...error.extras.members,
  };
}

function unexpected(ctx: TxCtx, thrown: unknown): DomainError {
  if ((thrown as { code?: unknown }).code === "40P01")
    return new DomainError("conflict", "Another request was changing the same things. Send this row again.");
  log().error({ requestId: ctx.requestId, err: thrown }, "a bulk row failed");
  return new DomainError("internal_error", `Something went wrong on our side and was logged under ${ctx.requestId}.`);
}
