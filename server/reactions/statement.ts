import { typeCondition, type Consumer } from "./consumer";

/** What consumers add to the sequencer's statement. */
export interface Composed {
  /** Common table expressions, each after a comma. */
  with: string;
  /** In SQL, a JSON object of what is due now, by the name of the consumer. */
  due: string;
  /** In SQL, how many rows one event of the organisation can make. */
  rowsPerEvent(orgId: string): string;
}

/** @param source SQL names of the numbered events, of their organisations and of the time. */
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
