import { typeCondition, type Consumer } from "./consumer";

/** The parts that consumers add to the sequencer's statement. */
export interface Composed {
  /** Common table expressions, each after a comma. */
  with: string;
  /** SQL: a JSON object of the rows that are due now, by the name of the consumer. */
  due: string;
  /** SQL: how many rows one event of the organisation can create. */
  rowsPerEvent(orgId: string): string;
}

/**
 * Combines the statements of consumers.
 * @param source SQL names of the numbered events, their organisations and the time
 */
export function composeReactions(
  consumers: readonly Consumer[],
  source: { events: string; organisations: string; now: string },
): Composed {
  const parts = consumers.map((consumer) => {
    const condition = typeCondition(consumer);
    const events = condition ? `${consumer.name}_events` : source.events;
    const reaction = consumer.react({ ...source, events });
    const matching = condition ? `${events} AS MATERIALIZED (SELECT * FROM ${source.events} WHERE ${condition}), ` : "";
    return {
      name: consumer.name,
      with: `, ${matching}${reaction.with}`,
      due: `'${consumer.name}', (SELECT coalesce(jsonb_agg(to_jsonb(due)), '[]') FROM (${reaction.due}) AS due)`,
    };
  });
  return {
    with: parts.map((part) => part.with).join("\n"),
    due: `jsonb_build_object(${parts.map((part) => part.due).join(", ")})`,
    rowsPerEvent: (orgId) => ["0", ...consumers.map((consumer) => consumer.rowsPerEvent?.(orgId) ?? "1")].join(" + "),
  };
}
