const states: Map<string, unknown> = ((globalThis as { bonafideState?: Map<string, unknown> }).bonafideState ??=
  new Map());

/**
 * Returns the state of that name, and creates it once in each thread of the server. Use it for every module-level value
 * that changes: Next and the server bundle their modules separately, so one source file runs twice in the main thread,
 * and a plain `let` or `Map` would exist twice. Rate limits would then be counted apart, and a stop would flush only one
 * of two buffers. The thread of the jobs has state of its own (docs/decisions/780).
 * Caches that may exist twice (parsed settings, compiled schemas) do not need it.
 *
 * @param name unique in the code base (a test checks that)
 * @example const state = processState("engine status", (): { read?: () => Promise<EngineStatus> } => ({}));
 */
export function processState<State extends object>(name: string, create: () => State): State {
  if (!states.has(name)) states.set(name, create());
  return states.get(name) as State;
}
