import { z } from "zod";
import { engineUrl, type ServeHandler } from "./configuration";

/** An event as functions receive it. `ts` is in milliseconds since 1970. */
export interface EngineEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
  ts: number;
  v?: string;
}

/** The result of a completed step: data, or an error that the function may catch. */
export type StepResult = { type: "data"; data: unknown } | { type: "error"; error: unknown };

/**
 * One call of a function: from its beginning, or, with `stepId`, for one planned step. `steps` are the completed steps
 * in the order of completion.
 */
export interface Call {
  functionId: string;
  runId: string;
  event: EngineEvent;
  steps: ReadonlyMap<string, StepResult>;
  stepId?: string;
  /**
   * If true, new steps are only reported. Otherwise a single new step is run within this call; parallel steps are
   * always only reported.
   */
  planOnly: boolean;
  attempt: number;
  maxAttempts: number;
}

/** A step that the function ran, or wants to be run. */
const operation = z.looseObject({
  id: z.string(),
  op: z.string(),
  name: z.string().optional(),
  displayName: z.string().optional(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Operation = z.infer<typeof operation>;

/** The result of a call. `retryAfter` is the value of the Retry-After header: seconds or a date. */
export type CallResult =
  | { kind: "finished"; output: unknown }
  | { kind: "steps"; operations: Operation[]; retryAfter: string | null }
  | { kind: "failed"; error: unknown }
  | { kind: "retry"; error: unknown; retryAfter: string | null };

/**
 * Calls a function through the SDK's handler, in this process. The request is the one that a server would send
 * (protocol version 2).
 */
export async function call(handler: ServeHandler, what: Call): Promise<CallResult> {
  const { functionId, runId, event, steps, stepId = "step", planOnly, attempt, maxAttempts } = what;
  const stack = [...steps.keys()];
  const url = `${engineUrl}?fnId=${encodeURIComponent(functionId)}&stepId=${encodeURIComponent(stepId)}`;
  const response = await handler(
    new Request(url, {
      method: "POST",
      headers: { host: "engine.internal", "content-type": "application/json" },
      body: JSON.stringify({
        event,
        events: [event],
        steps: Object.fromEntries(steps),
        version: 2,
        // fn_id is left out: it would switch on checkpointing, which calls a server's API.
        ctx: {
          run_id: runId,
          attempt,
          max_attempts: maxAttempts,
          disable_immediate_execution: planOnly,
          use_api: false,
          stack: { stack, current: stack.length },
        },
      }),
    }),
  );
  return readResult(response);
}

/**
 * Maps a response to a CallResult. 200: finished. 206: operations. `x-inngest-no-retry: true`: failed for good. Anything
 * else: retry.
 */
async function readResult(response: Response): Promise<CallResult> {
  const body = parsed(await response.text());
  const retryAfter = response.headers.get("retry-after");
  if (response.status === 200) return { kind: "finished", output: body };
  if (response.status === 206) return { kind: "steps", operations: z.array(operation).parse(body), retryAfter };
  if (response.headers.get("x-inngest-no-retry") === "true") return { kind: "failed", error: body };
  return { kind: "retry", error: body, retryAfter };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { name: "Error", message: text.slice(0, 1000) };
  }
}
