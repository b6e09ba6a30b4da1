import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { IncomingEvent } from "./enqueue";

/** The limit of an Inngest server: every plan accepts events of 256 KB. */
const maxEventBytes = 256 * 1024;

const sentEvents = z.array(
  z.object({
    name: z.string().min(1),
    data: z.record(z.string(), z.unknown()),
    id: z.string().optional(),
    ts: z.number(),
    v: z.string().optional(),
  }),
);

/**
 * Answers the SDK client's request to send events (`POST /e/<key>`) as a server does: queues the events, then answers
 * 200 with their ids.
 * Answers 404 for any other request, and 400 or 413 for events that a server would refuse.
 */
export async function takeEvents(
  request: Request,
  queue: (events: IncomingEvent[]) => Promise<void>,
): Promise<Response> {
  if (request.method !== "POST" || !new URL(request.url).pathname.startsWith("/e/"))
    return answer(404, { error: "not found" });
  const parsed = sentEvents.safeParse(await request.json());
  if (!parsed.success) return answer(400, { error: parsed.error.message });
  if (parsed.data.some((event) => Buffer.byteLength(JSON.stringify(event)) > maxEventBytes))
    return answer(413, { error: "event too large" });
  const events = parsed.data.map((event) => ({
    ...event,
    id: event.id ?? randomUUID(),
    deduplicated: event.id !== undefined,
    // The SDK set `ts` by the clock of this process.
    delayMs: Math.max(0, event.ts - Date.now()),
  }));
  await queue(events);
  return answer(200, { ids: events.map((event) => event.id) });
}

function answer(status: number, body: object): Response {
  return Response.json({ status, ...body }, { status });
}
