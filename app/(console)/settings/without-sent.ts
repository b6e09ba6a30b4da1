/** Empties the fields of a form that were sent, and keeps those that were edited after the save began. */
export function withoutSent<F extends Record<string, string>>(now: F, sent: Record<keyof F, unknown>): F {
  return Object.fromEntries(Object.entries(now).map(([name, text]) => [name, text === sent[name] ? "" : text])) as F;
}
