import { eventType, Inngest, NonRetriableError, RetryAfterError, type InngestFunction } from "inngest";
import { z } from "zod";

/** The outcome of one run, without values that differ from run to run. */
export interface Outcome {
  functionId: string;
  state: string;
  output: unknown;
  error?: { name: string; message: string };
}

/**
 * One feature that both engines must support in the same way: the event that triggers it, and the outcome of every run
 * that follows.
 */
export interface Sample {
  name: string;
  event: { name: string; data?: Record<string, unknown> };
  functions: InngestFunction.Any[];
  outcomes: Outcome[];
}

const event = { name: "sample/go", data: { thing: 7 } };
const typed = eventType("sample/typed", { schema: z.object({ n: z.number() }) });

/**
 * Every feature that our functions may use, each in the smallest function that shows it (inngest/embedded/README.md).
 */
export function samples(client: Inngest): Sample[] {
  const on = (id: string, retries: 0 | 1 | 2 = 0) => ({ id, retries, triggers: [{ event: event.name }] });
  const succeeded = (functionId: string, output: unknown): Outcome => ({ functionId, state: "succeeded", output });
  const failed = (functionId: string, name: string, message: string): Outcome => ({
    functionId,
    state: "failed",
    output: null,
    error: { name, message },
  });
  const only = (name: string, f: InngestFunction.Any, ...outcomes: Outcome[]): Sample => ({
    name,
    event,
    functions: [f],
    outcomes,
  });
  const givenUp = client.createFunction(
    {
      id: "given-up",
      retries: 1,
      triggers: [{ event: event.name }],
      onFailure: ({ error, event: { data } }) => [error.message, data.function_id, data.event.data],
    },
    () => {
      throw new RangeError("never");
    },
  );
  return [
    only(
      "the event and the result",
      client.createFunction(on("plain"), ({ event: { name, data } }) => ({ name, data })),
      succeeded("plain", event),
    ),
    only(
      "nothing as the result",
      client.createFunction(on("nothing"), () => undefined),
      succeeded("nothing", null),
    ),
    only(
      "steps after each other and beside each other",
      client.createFunction(on("steps"), async ({ step }) => {
        const first = await step.run("first", () => 1);
        const beside = await Promise.all([
          step.run("left", () => first + 1),
          step.run("right", () => first + 2),
          step.sleep("nap", "10s"),
        ]);
        return [first, ...beside, await step.run("same", () => 4), await step.run("same", () => 5)];
      }),
      succeeded("steps", [1, 2, 3, null, 4, 5]),
    ),
    only(
      "a retry of the function, which knows its attempt",
      client.createFunction(on("retried", 2), ({ attempt, maxAttempts }) => {
        if (attempt < 2) throw new Error("not yet");
        return { attempt, maxAttempts };
      }),
      succeeded("retried", { attempt: 2, maxAttempts: 3 }),
    ),
    only(
      "a retry at a time of the function's choice",
      client.createFunction(on("asked", 1), ({ attempt }) => {
        if (attempt === 0) throw new RetryAfterError("busy", "30s");
        return "free";
      }),
      succeeded("asked", "free"),
    ),
    only(
      "a retry of a step, which keeps the steps before",
      client.createFunction(on("step-retried", 1), async ({ attempt, step }) => {
        const before = await step.run("before", () => `before, at attempt ${attempt}`);
        return step.run("flaky", () => {
          if (attempt === 0) throw new Error("not yet");
          return [before, `flaky, at attempt ${attempt}`];
        });
      }),
      succeeded("step-retried", ["before, at attempt 0", "flaky, at attempt 1"]),
    ),
    only(
      "a step that fails for good and is caught",
      client.createFunction(on("caught", 1), ({ step }) =>
        step
          .run("broken", () => {
            throw new TypeError("broken");
          })
          .catch((error: Error) => `caught: ${error.message}`),
      ),
      succeeded("caught", "caught: broken"),
    ),
    only(
      "retries used up, and onFailure",
      givenUp,
      failed("given-up", "RangeError", "never"),
      succeeded("given-up-failure", ["never", `${client.id}-given-up`, event.data]),
    ),
    only(
      "what cannot succeed is not tried again",
      client.createFunction(on("hopeless", 2), ({ attempt }) => {
        throw new NonRetriableError(`attempt ${attempt}`);
      }),
      failed("hopeless", "NonRetriableError", "attempt 0"),
    ),
    {
      name: "an event sent from a step",
      event,
      functions: [
        client.createFunction(on("sends"), async ({ step }) => {
          await step.sendEvent("tell", { name: "sample/told", data: { by: "sends" } });
        }),
        client.createFunction(
          { id: "told", retries: 0, triggers: [{ event: "sample/told" }] },
          ({ event: { data } }) => data.by,
        ),
      ],
      outcomes: [succeeded("sends", null), succeeded("told", "sends")],
    },
    {
      name: "data that does not fit its schema",
      event: { name: typed.name, data: { n: "seven" } },
      functions: [
        client.createFunction({ id: "typed", retries: 2, triggers: [typed] }, ({ event: { data } }) => data.n),
      ],
      outcomes: [failed("typed", "EventValidationError", "n: Invalid input: expected number, received string")],
    },
  ];
}
