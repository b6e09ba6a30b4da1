import { describe, expect, it } from "vitest";
import { consumers } from "./consumers";
import { eventTypes } from "./events/catalogue";
import { reactionsPage } from "./reactions/list";
import { reactsTo, typeCondition } from "./reactions/consumer";

describe("the consumers", () => {
  it("are shown by event in docs/reactions.md", async () => {
    await expect(reactionsPage(consumers)).toMatchFileSnapshot("../docs/reactions.md");
  });

  it("have unique names, and each reacts to an event of the catalogue", () => {
    expect(new Set(consumers.map(({ name }) => name)).size).toBe(consumers.length);
    for (const consumer of consumers) expect(eventTypes.filter((type) => reactsTo(consumer, type))).not.toEqual([]);
  });

  it("follow credential.revoked in this order", () => {
    expect(consumers.filter((consumer) => reactsTo(consumer, "credential.revoked")).map(({ name }) => name)).toEqual([
      "webhooks",
      "wallet_changes",
      "messages",
    ]);
  });

  it("select events in SQL by the types of their patterns, or all events if they react to every event", () => {
    expect(typeCondition({ events: ["webhook.endpoint.disabled", "policy.*"] })).toBe(
      "type IN ('policy.applied', 'policy.halted', 'policy.failed', 'webhook.endpoint.disabled')",
    );
    expect(typeCondition({ events: ["*"] })).toBeNull();
  });
});
