/** Says briefly which events an endpoint receives. */
export function subscriptionWords(eventTypes: readonly string[]): string {
  if (eventTypes.length === 0) return "Every event";
  if (eventTypes.length === 1) return eventTypes[0]!;
  return `${eventTypes[0]} and ${eventTypes.length - 1} more`;
}
