import { describe, expect, it } from "vitest";
import { asId } from "@/server/core/ids";
import { VerificationEventBuffer, windowMs, type Counted, type VerificationEvent } from "./verification-event-buffer";

function event(credential: string, viewer: string, reason: string | null = null): VerificationEvent {
  return {
    orgId: asId("org_1"),
    actor: { type: "public", id: "anonymous" },
    viewer,
    type: reason ? "credential.verify_refused" : "credential.verified",
    facts: {
      credentialId: credential,
      code: credential,
      result: reason ? "invalid" : "valid",
      state: "active",
      reason,
      via: "public",
    },
  };
}

function recorder(limits?: { capacity: number; viewersPerCredential: number }) {
  const batches: Counted[][] = [];
  let failing = false;
  const buffer = new VerificationEventBuffer(async (batch) => {
    if (failing) throw new Error("no database");
    batches.push(batch);
  }, limits);
  return {
    buffer,
    batches,
    counts: () => batches.flat().map(({ count }) => count),
    fail: (now: boolean) => void (failing = now),
  };
}

describe("the buffer of verification events", () => {
  it("writes the first event at once, and equal ones as one event after 60 seconds", async () => {
    const { buffer, counts } = recorder();
    buffer.note(event("c1", "ada"), 0);
    await buffer.flush(500);
    expect(counts()).toEqual([1]);
    for (let i = 0; i < 99; i++) buffer.note(event("c1", "ada"), 1000 + i);
    await buffer.flush(windowMs - 1);
    expect(counts()).toEqual([1]);
    await buffer.flush(windowMs);
    expect(counts()).toEqual([1, 99]);
  });

  it("reopens a window that saw repeats, so that a steady stream is one event in 60 seconds", async () => {
    const { buffer, counts } = recorder();
    for (let second = 0; second < 180; second++) {
      buffer.note(event("c1", "ada"), second * 1000);
      await buffer.flush(second * 1000 + 500);
    }
    expect(counts()).toEqual([1, 60, 60]);
  });

  it("keeps viewers, outcomes and credentials apart", async () => {
    const { buffer, counts } = recorder();
    for (const one of [event("c1", "ada"), event("c1", "bob"), event("c1", "ada", "revoked"), event("c2", "ada")]) {
      buffer.note(one, 0);
      buffer.note(one, 1);
    }
    await buffer.flush(2);
    expect(counts()).toEqual([2, 2, 2, 2]);
  });

  it("stays small under a flood of viewers of one credential, and loses no count", async () => {
    const { buffer, batches, counts } = recorder();
    for (let i = 0; i < 5000; i++) buffer.note(event("c1", `viewer ${i}`), i);
    await buffer.flush(5000);
    expect(batches.flat().length).toBeLessThan(30);
    expect(counts().reduce((a, b) => a + b)).toBe(5000);
  });

  it("never exceeds its capacity, and reports how many events it dropped", async () => {
    const { buffer, batches, counts } = recorder({ capacity: 50, viewersPerCredential: 20 });
    for (let i = 0; i < 1000; i++) buffer.note(event(`c${i}`, "ada"), i);
    await buffer.flush(1000);
    expect(batches.flat()).toHaveLength(100);
    expect(counts().reduce((a, b) => a + b) + buffer.takeLost()).toBe(1000);
    expect(buffer.takeLost()).toBe(0);
  });

  it("is empty once every window has passed", async () => {
    const { buffer } = recorder();
    buffer.note(event("c1", "ada"), 0);
    await buffer.flush(500);
    expect(buffer.isEmpty).toBe(false);
    await buffer.flush(windowMs);
    expect(buffer.isEmpty).toBe(true);
  });

  it("retries a failed write, and writes each event once", async () => {
    const { buffer, counts, fail } = recorder();
    buffer.note(event("c1", "ada"), 0);
    fail(true);
    await expect(buffer.flush(500)).rejects.toThrow("no database");
    buffer.note(event("c1", "ada"), 600);
    fail(false);
    await buffer.flush(1000);
    await buffer.flush(2 * windowMs);
    expect(counts()).toEqual([2]);
  });

  it("keeps events that arrive during a write", async () => {
    const counts: number[] = [];
    const buffer: VerificationEventBuffer = new VerificationEventBuffer(async (batch) => {
      counts.push(...batch.map(({ count }) => count));
      if (counts.length === 1) buffer.note(event("c1", "ada"), 501);
    });
    buffer.note(event("c1", "ada"), 0);
    await buffer.flush(500);
    await buffer.flush(windowMs);
    expect(counts).toEqual([1, 1]);
  });

  it("writes everything at a clean stop, including windows that have not passed", async () => {
    const { buffer, counts } = recorder();
    buffer.note(event("c1", "ada"), 0);
    await buffer.flush(500);
    buffer.note(event("c1", "ada"), 600);
    await buffer.flush(700, true);
    expect(counts()).toEqual([1, 1]);
  });

  it("writes the events of each organisation and actor in separate batches", async () => {
    const { buffer, batches } = recorder();
    buffer.note(event("c1", "ada"), 0);
    buffer.note({ ...event("c2", "ada"), orgId: asId("org_2") }, 0);
    await buffer.flush(1);
    expect(batches.map((batch) => batch.map(({ event: { orgId } }) => orgId))).toEqual([["org_1"], ["org_2"]]);
  });
});
