import { DomainError } from "@/server/core/errors";
import type { Tx } from "@/server/core/transaction";

/** Thrown to roll back a set in which items were refused after something had been written for them. */
class Undo<Item> extends Error {
  constructor(readonly refused: Map<Item, DomainError>) {
    super("items were refused after something had been written for them");
  }
}

/**
 * The outcome of an item: `R`, or the error with which it was refused; `wrote` if something was written that must be
 * undone.
 */
export type Attempt<R> = R | { error: DomainError; wrote: boolean };

/**
 * Runs `work` for a set in a savepoint, so that a refused item leaves nothing behind. If an item is refused after
 * something was written for it, the whole set is rolled back and processed again without that item.
 * @returns one outcome for each item, in their order.
 */
export async function undoRefused<Item, R extends object>(
  tx: Tx,
  items: Item[],
  work: (items: Item[]) => Promise<Attempt<R>[]>,
): Promise<(R | { error: DomainError })[]> {
  const refused = new Map<Item, DomainError>();
  for (;;) {
    const open = items.filter((item) => !refused.has(item));
    try {
      const attempts = await tx.savepoint(async () => {
        const all = await work(open);
        const undo = new Map<Item, DomainError>();
        for (const [i, each] of all.entries()) if ("wrote" in each && each.wrote) undo.set(open[i]!, each.error);
        if (undo.size > 0) throw new Undo(undo);
        return all;
      });
      const results = new Map<Item, R | { error: DomainError }>(open.map((item, i) => [item, attempts[i]!]));
      return items.map((item) => results.get(item) ?? { error: refused.get(item)! });
    } catch (error) {
      if (!(error instanceof Undo)) throw error;
      for (const [item, why] of error.refused as Map<Item, DomainError>) refused.set(item, why);
    }
  }
}
