import { z } from "zod";

/** The SDK's public web-standard handler, as returned by `serve` of "inngest/edge". */
export type ServeHandler = (request: Request) => Promise<Response>;

const trigger = z.object({
  event: z.string().optional(),
  expression: z.string().optional(),
  cron: z.string().optional(),
  jitter: z.string().optional(),
});

// A loose object keeps the options that are not listed here, so that capabilities.ts can refuse them.
const functionConfiguration = z.looseObject({
  id: z.string(),
  triggers: z.array(trigger),
  steps: z.object({ step: z.object({ retries: z.object({ attempts: z.number().optional() }).optional() }) }),
  concurrency: z.unknown().optional(),
});

export type FunctionConfiguration = z.infer<typeof functionConfiguration>;
export type Trigger = z.infer<typeof trigger>;

/** The URL that the handler believes it is served at. Nothing listens there. */
export const engineUrl = "http://engine.internal/api/inngest";

/** Reads the configuration of every function the way a server does: by an in-band sync (`PUT`) of the handler. */
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
