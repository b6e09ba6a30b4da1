import { setImmediate as turn } from "node:timers/promises";
import type { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import type { ResourceOf } from "@/server/core/event-resource";
import { newId, publicId, readId, type Id } from "@/server/core/ids";
import { catalogue, eventTypes, type EventObject, type EventType } from "./catalogue";

export interface NewEvent<T extends EventType = EventType> {
  type: T;
  resourceId: Id<ResourceOf<T>>;
  object: EventObject<T>;
  /** The former values of the changed fields; only of fields that events of this type have. */
  previous?: Record<string, unknown>;
}

/** Events are under 20 KB (contract section 10). The bounds in server/events/facts.ts guarantee it. */
export const maxBytes = 20_000;

const previousFacts = new Map<EventType, z.ZodType<object>>(
  eventTypes.map((type) => [type, catalogue[type].object.partial()]),
);

/**
 * Writes an event in the transaction of the change that it reports (docs/architecture.md, rule 3). After the commit,
 * the sequencer assigns its sequence. The body is stored as it will be delivered, but without the sequence and the
 * closing brace. A row in the outbox says that the event waits for its number.
 */
export async function append<T extends EventType>(ctx: TxCtx, event: NewEvent<T>): Promise<void> {
  const { id, body } = render(ctx, event);
  ctx.tx.send(
    `WITH event AS (
       INSERT INTO events (org_id, id, type, resource_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     )
     INSERT INTO event_outbox (org_id, id, type, resource_id, created_at, actor_id, template_id) VALUES ($1, $2, $3, $4, $6, $7, $8)`,
    [ctx.orgId, id, event.type, event.resourceId, body, ctx.now, ctx.actor.id, templateOf(event)],
  );
  ctx.tx.nudgeAfterCommit("events");
}

/** The most events of one statement. Rendering them occupies the process for some 10 ms. */
const partSize = 250;

/**
 * Writes many events, in their order. PostgreSQL stores one part while the next one is rendered, and other work of the
 * process gets its turn between two parts.
 */
export async function appendAll(ctx: TxCtx, events: NewEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += partSize) {
    if (at > 0) await turn();
    sendPart(ctx, events.slice(at, at + partSize));
  }
}

function sendPart(ctx: TxCtx, events: NewEvent[]): void {
  const rows = events.map((event) => ({ ...event, ...render(ctx, event) }));
  ctx.tx.send(
    `WITH event AS (
       INSERT INTO events (org_id, id, type, resource_id, body, created_at)
       SELECT $1, id, type, resource_id, body, $6 FROM unnest($2::uuid[], $3::text[], $4::uuid[], string_to_array($5, chr(10))) AS row (id, type, resource_id, body)
     )
     INSERT INTO event_outbox (org_id, id, type, resource_id, created_at, actor_id, template_id)
     SELECT $1, id, type, resource_id, $6, $7, template_id
     FROM unnest($2::uuid[], $3::text[], $4::uuid[], $8::uuid[]) WITH ORDINALITY AS row (id, type, resource_id, template_id, n)
     ORDER BY n`,
    [
      ctx.orgId,
      rows.map((r) => r.id),
      rows.map((r) => r.type),
      rows.map((r) => r.resourceId),
      // JSON.stringify writes no line breaks, so bodies can be joined by them. An array parameter would be escaped quote by quote.
      rows.map((r) => r.body).join("\n"),
      ctx.now,
      ctx.actor.id,
      rows.map(templateOf),
    ],
  );
  ctx.tx.nudgeAfterCommit("events");
}

/** The template of the event's credential or version. Events can also be found by it. */
function templateOf({ object }: NewEvent): Id<"tpl"> | null {
  return "templateId" in object && object.templateId ? readId("tpl", object.templateId) : null;
}

function render<T extends EventType>(ctx: TxCtx, event: NewEvent<T>): { id: Id<"evt">; body: string } {
  const id = newId("evt");
  const object = catalogue[event.type].object.parse(event.object);
  const previous = event.previous && previousFacts.get(event.type)!.parse(event.previous);
  const head = JSON.stringify({
    id: publicId("evt", id),
    object: "event",
    type: event.type,
    created: Math.floor(ctx.now.getTime() / 1000),
    organisationId: publicId("org", ctx.orgId),
    actor: ctx.actor,
    data: { object, ...(previous && { previous }) },
  });
  if (Buffer.byteLength(head) > maxBytes) throw new Error(`The event ${event.type} would be over ${maxBytes} bytes`);
  return { id, body: head.slice(0, -1) };
}
