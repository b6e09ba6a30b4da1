import { z } from "zod";
import type { FunctionConfiguration } from "./configuration";
import type { EngineEvent } from "./protocol";

/** At most `limit` calls at a time: of the whole function, or for each value at `path` in the event. */
export interface Concurrency {
  limit: number;
  path?: string[];
}

const option = z.strictObject({
  limit: z.number().int().min(1),
  key: z.string().optional(),
  scope: z.literal("fn").optional(),
});

/**
 * Parses the `concurrency` option of a function.
 *
 * @throws Error if it has more than one limit, a scope beyond the function, or a key that is not a plain path into the
 * event.
 */
export function parseConcurrency(configured: FunctionConfiguration["concurrency"]): Concurrency | undefined {
  if (configured === undefined) return undefined;
  const options = Array.isArray(configured)
    ? configured
    : [typeof configured === "number" ? { limit: configured } : configured];
  if (options.length !== 1) throw new Error("more than one concurrency limit");
  const parsed = option.safeParse(options[0]);
  if (!parsed.success)
    throw new Error(`the concurrency ${JSON.stringify(options[0])}: at least 1, within the function`);
  const { limit, key } = parsed.data;
  if (key === undefined) return { limit };
  if (!/^event\.data(\.\w+)+$/.test(key))
    throw new Error(`the concurrency key ${JSON.stringify(key)}: only event.data.<path>`);
  return { limit, path: key.split(".").slice(1) };
}

/** Returns the key that all runs under one limit share; null for a function without a limit. */
export function concurrencyKey(
  functionId: string,
  concurrency: Concurrency | undefined,
  event: EngineEvent,
): string | null {
  if (!concurrency) return null;
  if (!concurrency.path) return functionId;
  const value = concurrency.path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    event,
  );
  return `${functionId}:${JSON.stringify(value ?? null)}`;
}
