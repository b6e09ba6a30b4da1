import { catalogue, eventTypes } from "@/server/events/catalogue";
import { reactsTo, type Consumer } from "./consumer";

/** Writes the page docs/reactions.md from the consumers: what follows each event. */
export function reactionsPage(consumers: readonly Consumer[]): string {
  const sections = eventTypes.map((type) => {
    const effects = consumers
      .filter((consumer) => reactsTo(consumer, type))
      .map(({ name, effect }) => `- ${effect} (\`${name}\`)`);
    return [`## ${type}`, "", catalogue[type].about, "", ...effects].join("\n");
  });
  return `${introduction}\n${sections.join("\n\n")}\n`;
}

const introduction = `# What follows an event

Written from the consumers in server/consumers.ts by its test; \`npm test -- unit server/consumers.test.ts -u\` writes it anew.

A command appends its events in its transaction. After the commit it wakes the sequencer of its process, which numbers them and, in the same statement, makes the
due rows of every consumer below: an event that has a number has all that follows from it. The consumers then work their rows off: claimed under a lease, tried
again, parked or failed. What a process that ended leaves behind is found by sweeps: \`sequence-events\` for events without a number, each consumer's own for its rows.

What follows the clock and no event is not in this list: credentials that start or expire (\`expire-credentials\`), warnings that an endpoint keeps failing,
e-mails about runs of connectors and policies (\`send-notifications\`), and what is kept for a time only (\`retention\`).
`;
