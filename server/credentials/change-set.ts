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

/** A verb that changes credentials which are there. */
export interface Change<I extends ChangeInput> {
  /** What the endpoint for one credential takes, which is also what a row of a bulk request holds. */
  input: z.ZodType<I>;
  /**
   * Decides by a row in the state that readers see, before anything is written.
   * @throws DomainError why the change is refused.
   */
  check(ctx: TxCtx, row: CredentialRow, input: I): void;
  /**
   * Writes locked rows that were checked, with their history and events, in as many statements as one row needs. Each
   * row stands once.
   * @returns the rows in their order, the same object where nothing changed; or why one is refused after all, and then
   *   the caller undoes what was written.
   */
  write(ctx: TxCtx, changes: { row: CredentialRow; input: I }[]): Promise<(CredentialRow | DomainError)[]>;
}

/** `changed` is false where the credential was so already. */
export type Changed = { row: CredentialRow; changed: boolean } | { error: DomainError };

/**
 * Does a change to a set of credentials with as many statements as one takes. One that is refused leaves nothing behind,
 * not even what the clock has decided of it, and harms no other; inputs of the same credential take effect in their
 * order. The credentials are locked in the order of their ids (docs/decisions/032). Emits what the change emits for one,
 * for each.
 * @returns what became of each input, in their order: the error is not_found, or what `check` or `write` say.
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

/** A set of one, without a savepoint of its own. @throws DomainError, and then the caller undoes it. */
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

/** Asks the precondition of a change. @throws DomainError precondition_failed */
export function requireUnchanged(ctx: TxCtx, row: CredentialRow, ifMatch: string | undefined): void {
  if (ifMatch !== undefined) requireMatch(ifMatch, credentialTag(credentialView(row, ctx.now)));
}
