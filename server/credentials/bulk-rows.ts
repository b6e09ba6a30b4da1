import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { issueCodeNames } from "@/server/core/issue-codes";
import { log } from "@/server/core/log";
import { setActions, type BulkAction } from "./bulk-actions";
import { confirmationSchema, confirmationView, type ConfirmationView } from "./confirmation";
import type { Source } from "./draft";
import { credentialSchema, credentialView, type CredentialView } from "./view";

/** Why a row was refused: a problem document without the members that describe the whole request. */
export const rowErrorSchema = z
  .looseObject({
    code: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), code: z.enum(issueCodeNames), message: z.string() })).optional(),
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
    nameConfirmation: confirmationSchema.optional().meta({
      description: "Instead of the credential, where its holder has to confirm the name first.",
    }),
    error: rowErrorSchema.optional(),
  })
  .meta({ id: "BulkRowOutcome" });

export type RowOutcome =
  | { index: number; ok: true; changed: boolean; credential: CredentialView; nameConfirmation?: undefined }
  | { index: number; ok: true; changed: boolean; credential?: undefined; nameConfirmation: ConfirmationView }
  | { index: number; ok: false; error: RowError };

interface BulkRow {
  index: number;
  item: unknown;
}

/**
 * Applies an action to the rows as a set, in the caller's transaction. A refused row leaves nothing behind and does not
 * affect the other rows. If the set fails for a reason other than a refusal, such as a deadlock, each row is processed
 * on its own.
 * @returns the outcomes in the order of the rows.
 */
export async function runRows(ctx: TxCtx, action: BulkAction, rows: BulkRow[], source: Source): Promise<RowOutcome[]> {
  const { parse, run } = setActions[action];
  const outcomes: RowOutcome[] = [];
  const refuse = (index: number, error: unknown) => outcomes.push({ index, ok: false, error: rowError(ctx, error) });
  const valid: (BulkRow & { input: unknown })[] = [];
  for (const { index, item } of rows) {
    try {
      valid.push({ index, item, input: parse(item) });
    } catch (error) {
      refuse(index, error);
    }
  }
  const runSome = async (some: typeof valid) => {
    const results = await run(
      ctx,
      some.map(({ input }) => input),
      source,
    );
    for (const [i, result] of results.entries()) {
      const { index } = some[i]!;
      if ("error" in result) refuse(index, result.error);
      else
        outcomes.push({
          index,
          ok: true,
          changed: result.changed,
          ...("row" in result
            ? { credential: credentialView(result.row, ctx.now) }
            : { nameConfirmation: confirmationView(result.confirmation, ctx) }),
        });
    }
  };
  await runSome(valid).catch(async () => {
    for (const each of inOneOrder(valid)) await runSome([each]).catch((error: unknown) => refuse(each.index, error));
  });
  return outcomes.sort((a, b) => a.index - b.index);
}

/** Sorts rows by the credential id that they name, so that two lists with the same credentials cannot deadlock. */
function inOneOrder<Row extends BulkRow>(rows: Row[]): Row[] {
  const keyOf = ({ item }: BulkRow) => JSON.stringify((item as { id?: unknown }).id ?? null);
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key === b.key ? a.row.index - b.row.index : a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
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
