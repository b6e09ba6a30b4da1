import type { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { requireMatch } from "@/server/core/entity-tag";
import { DomainError, notFound, refusalOf } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { applyClock, withClockApplied } from "./apply-clock";
import { loadForChange, lockCredentials } from "./load";
import { undoRefused } from "./undo-refused";
import { credentialTag, credentialView, type CredentialRow } from "./view";

export interface ChangeInput {
  id: Id<"crd">;
}

/** A verb that changes existing credentials. */
export interface Change<I extends ChangeInput> {
  /** The input of the endpoint for one credential, which is also a row of a bulk request. */
  input: z.ZodType<I>;
  /**
   * Checks a change against the credential in the state that readers see, before anything is written.
   * @throws DomainError if the change is refused.
   */
  check(ctx: TxCtx, row: CredentialRow, input: I): void;
  /**
   * Writes changes to locked rows that `check` accepted, with their history and events, in as many statements as one
   * row needs. Each row may occur once.
   * @returns for each change, in their order: the row (the same object if nothing changed), or the error if the change
   *   is refused after all. With an error, the caller undoes what was written.
   */
  write(ctx: TxCtx, changes: { row: CredentialRow; input: I }[]): Promise<(CredentialRow | DomainError)[]>;
}

/** `changed` is false if the credential already was as the change would make it. */
export type Changed = { row: CredentialRow; changed: boolean } | { error: DomainError };

/**
 * Applies a change to a set of credentials, with as many statements as one credential needs. A refused input leaves
 * nothing behind, not even state changes that the credential was due for, and does not affect the others. Inputs for
 * the same credential take effect in their order. The credentials are locked in the order of their ids
 * (docs/decisions/032). Emits, for each credential, what the change emits for one.
 * @returns one outcome for each input, in their order; the error is not_found, or comes from `check` or `write`.
 * @example await changeSet(ctx, revocation, ids.map((id) => ({ id, reason: "Left the university" })))
 */
export async function changeSet<I extends ChangeInput>(ctx: TxCtx, change: Change<I>, inputs: I[]): Promise<Changed[]> {
  const rows = await lockCredentials(
    ctx,
    inputs.map(({ id }) => id),
  );
  const results: Changed[] = [];
  let open = inputs.map((input, at) => ({ input, at }));
  while (open.length > 0) {
    const later: typeof open = [];
    const accepted: { input: I; at: number; row: CredentialRow }[] = [];
    const taken = new Set<Id<"crd">>();
    for (const each of open) {
      const { input, at } = each;
      if (taken.has(input.id)) {
        later.push(each);
        continue;
      }
      taken.add(input.id);
      const row = rows.get(input.id);
      const error = row
        ? refusalOf(() => change.check(ctx, withClockApplied(row, ctx.now), input))
        : notFound("credential", publicId("crd", input.id));
      if (error) results[at] = { error };
      else accepted.push({ input, at, row: row! });
    }
    for (const [i, result] of (await writeRound(ctx, change, accepted)).entries()) {
      const { at, input } = accepted[i]!;
      results[at] = result;
      if ("row" in result) rows.set(input.id, result.row);
    }
    open = later;
  }
  return results;
}

async function writeRound<I extends ChangeInput>(
  ctx: TxCtx,
  change: Change<I>,
  accepted: { input: I; row: CredentialRow }[],
): Promise<Changed[]> {
  if (accepted.length === 0) return [];
  return undoRefused(ctx.tx, accepted, async (some) => {
    const rows = await applyClock(
      ctx,
      some.map(({ row }) => row),
    );
    const written = await change.write(
      ctx,
      some.map(({ input }, i) => ({ row: rows[i]!, input })),
    );
    return written.map((result, i) =>
      result instanceof DomainError
        ? { error: result, wrote: true }
        : { row: result, changed: result !== some[i]!.row },
    );
  });
}

/** Applies a change to one credential, without a savepoint. @throws DomainError; the caller then rolls back. */
export async function changeOne<I extends ChangeInput>(
  ctx: TxCtx,
  change: Change<I>,
  input: I,
): Promise<CredentialRow> {
  const row = await loadForChange(ctx, input.id);
  change.check(ctx, row, input);
  const [result] = await change.write(ctx, [{ row, input }]);
  if (result instanceof DomainError) throw result;
  return result!;
}

/** Checks the precondition (If-Match) of a change. @throws DomainError precondition_failed */
export function requireUnchanged(ctx: TxCtx, row: CredentialRow, ifMatch: string | undefined): void {
  if (ifMatch !== undefined) requireMatch(ifMatch, credentialTag(credentialView(row, ctx.now)));
}
