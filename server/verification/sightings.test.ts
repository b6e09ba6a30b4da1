import { describe, expect, it } from "vitest";
import { asId } from "@/server/core/ids";
import { Sightings, windowMs, type Counted, type Sighting } from "./sightings";

function sighting(credential: string, viewer: string, reason: string | null = null): Sighting {
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
  const sightings = new Sightings(async (batch) => {
    if (failing) throw new Error("no database");
    batches.push(batch);
  }, limits);
  return {
    sightings,
    batches,
    counts: () => batches.flat().map(({ count }) => count),
    fail: (now: boolean) => void (failing = now),
  };
}

describe("sightings", () => {
  it("writes the first at once, and those like it together when 60 seconds have passed", async () => {
    const { sightings, counts } = recorder();
    sightings.note(sighting("c1", "ada"), 0);
    await sightings.flush(500);
    expect(counts()).toEqual([1]);
    for (let i = 0; i < 99; i++) sightings.note(sighting("c1", "ada"), 1000 + i);
    await sightings.flush(windowMs - 1);
    expect(counts()).toEqual([1]);
    await sightings.flush(windowMs);
    expect(counts()).toEqual([1, 99]);
  });

  it("goes on with a window that saw repeats, so that a steady stream is one event in 60 seconds", async () => {
    const { sightings, counts } = recorder();
    for (let second = 0; second < 180; second++) {
      sightings.note(sighting("c1", "ada"), second * 1000);
      await sightings.flush(second * 1000 + 500);
    }
    expect(counts()).toEqual([1, 60, 60]);
  });

  it("keeps viewers, outcomes and credentials apart", async () => {
    const { sightings, counts } = recorder();
    for (const one of [
      sighting("c1", "ada"),
      sighting("c1", "bob"),
      sighting("c1", "ada", "revoked"),
      sighting("c2", "ada"),
    ]) {
      sightings.note(one, 0);
      sightings.note(one, 1);
    }
    await sightings.flush(2);
    expect(counts()).toEqual([2, 2, 2, 2]);
  });

  it("does not grow with a flood of viewers of one credential, and loses no count", async () => {
    const { sightings, batches, counts } = recorder();
    for (let i = 0; i < 5000; i++) sightings.note(sighting("c1", `viewer ${i}`), i);
    await sightings.flush(5000);
    expect(batches.flat().length).toBeLessThan(30);
    expect(counts().reduce((a, b) => a + b)).toBe(5000);
  });

  it("holds no more than its capacity, whatever comes, and says how much it did not keep", async () => {
    const { sightings, batches, counts } = recorder({ capacity: 50, viewersPerCredential: 20 });
    for (let i = 0; i < 1000; i++) sightings.note(sighting(`c${i}`, "ada"), i);
    await sightings.flush(1000);
    expect(batches.flat()).toHaveLength(100);
    expect(counts().reduce((a, b) => a + b) + sightings.takeLost()).toBe(1000);
    expect(sightings.takeLost()).toBe(0);
  });

  it("is empty again when every window has passed", async () => {
    const { sightings } = recorder();
    sightings.note(sighting("c1", "ada"), 0);
    await sightings.flush(500);
    expect(sightings.isEmpty).toBe(false);
    await sightings.flush(windowMs);
    expect(sightings.isEmpty).toBe(true);
  });

  it("tries again what could not be written, and writes it once", async () => {
    const { sightings, counts, fail } = recorder();
    sightings.note(sighting("c1", "ada"), 0);
    fail(true);
    await expect(sightings.flush(500)).rejects.toThrow("no database");
    sightings.note(sighting("c1", "ada"), 600);
    fail(false);
    await sightings.flush(1000);
    await sightings.flush(2 * windowMs);
    expect(counts()).toEqual([2]);
  });

  it("keeps what comes while it writes", async () => {
    const counts: number[] = [];
    const sightings: Sightings = new Sightings(async (batch) => {
      counts.push(...batch.map(({ count }) => count));
      if (counts.length === 1) sightings.note(sighting("c1", "ada"), 501);
    });
    sightings.note(sighting("c1", "ada"), 0);
    await sightings.flush(500);
    await sightings.flush(windowMs);
    expect(counts).toEqual([1, 1]);
  });

  it("writes everything at a clean stop, also what would still wait", async () => {
    const { sightings, counts } = recorder();
    sightings.note(sighting("c1", "ada"), 0);
    await sightings.flush(500);
    sightings.note(sighting("c1", "ada"), 600);
    await sightings.flush(700, true);
    expect(counts()).toEqual([1, 1]);
  });

  it("writes the sightings of each organisation and actor apart", async () => {
    const { sightings, batches } = recorder();
    sightings.note(sighting("c1", "ada"), 0);
    sightings.note({ ...sighting("c2", "ada"), orgId: asId("org_2") }, 0);
    await sightings.flush(1);
    expect(batches.map((batch) => batch.map(({ sighting: { orgId } }) => orgId))).toEqual([["org_1"], ["org_2"]]);
  });
});
