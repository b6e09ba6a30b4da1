import { z } from "zod";

/** The SDK's public web-standard handler, as `serve` of "inngest/edge" gives it. */
export type ServeHandler = (request: Request) => Promise<Response>;

const trigger = z.object({
  event: z.string().optional(),
  expression: z.string().optional(),
  cron: z.string().optional(),
  jitter: z.string().optional(),
});

// Loose: what the SDK says beyond this must be seen, so that it can be refused (capabilities.ts).
const functionConfiguration = z.looseObject({
  id: z.string(),
  triggers: z.array(trigger),
  steps: z.object({ step: z.object({ retries: z.object({ attempts: z.number().optional() }).optional() }) }),
  concurrency: z.unknown().optional(),
});

export type FunctionConfiguration = z.infer<typeof functionConfiguration>;
export type Trigger = z.infer<typeof trigger>;

/** Where the handler is told that it stands. Nothing listens there. */
export const engineUrl = "http://engine.internal/api/inngest";

/**
 * What the functions say of themselves, as a server learns it: a sync in band (`PUT`), answered with every function's
 * configuration.
 */
export async function readConfiguration(handler: ServeHandler): Promise<FunctionConfiguration[]> {
  const response = await handler(
    new Request(engineUrl, {
      method: "PUT",
      headers: { host: "engine.internal", "content-type": "application/json", "x-inngest-sync-kind": "in_band" },
      body: JSON.stringify({ url: engineUrl }),
    }),
  );
  const body: unknown = await response.json();
  if (response.status !== 200)
    throw new Error(`The functions could not be read: ${response.status} ${JSON.stringify(body)}`);
  return z.object({ functions: z.array(functionConfiguration) }).parse(body).functions;
}
