import { eventTypes, type EventType } from "@/server/events/catalogue";
import { matchesPattern } from "@/server/events/patterns";

/**
 * What follows an event. The sequencer's statement makes its due rows in the transaction that numbers the event, so
 * that nothing is lost between the two. Consumers are listed in server/consumers.ts; docs/reactions.md shows what
 * follows which event.
 */
export interface Consumer {
  /** Begins the names of its common table expressions: lower case and underscores. */
  name: string;
  /** What follows, in one sentence, for docs/reactions.md. */
  effect: string;
  /** Event types and family patterns such as `credential.*`; `*` for all. */
  events: readonly string[];
  /** Whether it reacts under the present configuration. Always, unless given. */
  isEnabled?(): boolean;
  /** In SQL, how many due rows one event of an organisation can make; it bounds a batch. One, unless given. */
  rowsPerEvent?(orgId: string): string;
  /**
   * The statement that makes its due rows, for all events of a batch at once. It must not wait for locks: all
   * organisations' events wait with it.
   */
  react(source: Source): Reaction;
  /** After the commit, with the rows of `due`. Best effort: a sweep finds what a process that ended did not wake. */
  wake(due: object[]): void;
}

/** SQL that a consumer's statement reads. */
export interface Source {
  /**
   * The events of the batch that match its patterns: org_id, id, type, resource_id, actor_id, template_id, created_at,
   * sequence. They are not in the table event_log yet.
   */
  events: string;
  /** The organisations of the batch: org_id. */
  organisations: string;
  now: string;
}

export interface Reaction {
  /** Common table expressions, separated by commas. The name of each begins with the consumer's. */
  with: string;
  /** A query that says what is due now: what `wake` is given. */
  due: string;
}

/** True for a pattern of a consumer or endpoint that takes in the type. */
export const reactsTo = ({ events }: Pick<Consumer, "events">, type: EventType): boolean =>
  events.some((pattern) => pattern === "*" || matchesPattern(type, pattern));

/** In SQL, the condition on `type` for what a consumer reacts to; null where that is every event. */
export function typeCondition(consumer: Pick<Consumer, "events">): string | null {
  const types = eventTypes.filter((type) => reactsTo(consumer, type));
  return types.length === eventTypes.length ? null : `type IN (${types.map((type) => `'${type}'`).join(", ")})`;
}
