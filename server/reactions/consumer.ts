import { eventTypes, type EventType } from "@/server/events/catalogue";
import { matchesPattern } from "@/server/events/patterns";

/**
 * A reaction to events. The sequencer's statement creates the consumer's due rows in the transaction that numbers the
 * event, so that nothing is lost between the two. Consumers are listed in server/consumers.ts; docs/reactions.md shows
 * which consumers follow which event.
 */
export interface Consumer {
  /** The prefix of the names of its common table expressions: lower case and underscores. */
  name: string;
  /** What the consumer does, in one sentence, for docs/reactions.md. */
  effect: string;
  /** Event types and family patterns such as `credential.*`; `*` for all. */
  events: readonly string[];
  /** Whether it reacts under the present configuration. Always by default. */
  isEnabled?(): boolean;
  /** SQL: how many due rows one event of an organisation can create, which limits the batch. One by default. */
  rowsPerEvent?(orgId: string): string;
  /**
   * The statement that creates its due rows, for all events of a batch at once. It must not wait for locks, because the
   * events of all organisations would wait with it.
   */
  react(source: Source): Reaction;
  /** Called after the commit with the rows of `due`. Best effort: a sweep finds rows for which no wake-up came. */
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
  /** A query for the rows that are due now, which are passed to `wake`. */
  due: string;
}

/** Whether one of the patterns of a consumer matches the type. */
export const reactsTo = ({ events }: Pick<Consumer, "events">, type: EventType): boolean =>
  events.some((pattern) => pattern === "*" || matchesPattern(type, pattern));

/** SQL: the condition on `type` for the events of a consumer; null if it reacts to every event. */
export function typeCondition(consumer: Pick<Consumer, "events">): string | null {
  const types = eventTypes.filter((type) => reactsTo(consumer, type));
  return types.length === eventTypes.length ? null : `type IN (${types.map((type) => `'${type}'`).join(", ")})`;
}
