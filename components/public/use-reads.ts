import { useCallback, useEffect, useRef, useState } from "react";
import { readScan } from "@/server/verification/read-scan";
import type { Verification } from "@/server/verification/view";
import type { Answer } from "./verify-answer";

/** What a code that was scanned or typed came to. Kept in the memory of this page alone. */
export interface Read {
  id: number;
  at: Date;
  isTyped: boolean;
  outcome:
    | Answer
    | { kind: "checking"; code: string }
    | { kind: "unanswered"; code: string; why: "no_connection" | "no_answer" };
}

const kept = 6;
const patienceMs = 10_000;

/**
 * Reads codes one after the other and asks the service for each. The newest is first; the one before is never shown as
 * its answer.
 */
export function useReads(ownHosts: string[]) {
  const [reads, setReads] = useState<Read[]>([]);
  const lastId = useRef(0);

  const recordOutcome = useCallback((id: number, outcome: Read["outcome"]) => {
    setReads((all) => all.map((read) => (read.id === id ? { ...read, at: new Date(), outcome } : read)));
  }, []);

  const check = useCallback(
    async (id: number, code: string) => {
      const outcome = await ask(code);
      recordOutcome(id, outcome);
      navigator.vibrate?.(outcome.kind === "decision" && outcome.verification.result === "valid" ? 60 : [120, 80, 120]);
    },
    [recordOutcome],
  );

  function take(text: string, isTyped = false) {
    const id = ++lastId.current;
    const scan = readScan(text, [...ownHosts, window.location.host]);
    const outcome: Read["outcome"] = scan.kind === "code" ? { kind: "checking", code: scan.code } : scan;
    setReads((all) => [{ id, at: new Date(), isTyped, outcome }, ...all].slice(0, kept));
    if (scan.kind === "code") void check(id, scan.code);
  }

  const retry = useCallback(
    ({ id, outcome }: Read) => {
      if (outcome.kind !== "unanswered") return;
      recordOutcome(id, { kind: "checking", code: outcome.code });
      void check(id, outcome.code);
    },
    [check, recordOutcome],
  );

  /** Asks again for a decision that grew old. */
  async function askAnew({ id, outcome }: Read) {
    if (outcome.kind !== "decision") return;
    const next = await ask(outcome.verification.credential.code);
    if (next.kind === "unanswered") throw new Error(next.why);
    recordOutcome(id, next);
  }

  useEffect(() => {
    const newest = reads[0];
    const again = () => newest && retry(newest);
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [reads, retry]);

  return { reads, take, retry, askAnew };
}

async function ask(code: string): Promise<Exclude<Read["outcome"], { kind: "checking" }>> {
  let answer: Response;
  try {
    answer = await fetch("/public/verify", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
    });
    if (answer.status === 404) return { kind: "unknown" };
    if (!answer.ok) return { kind: "unanswered", code, why: "no_answer" };
    return { kind: "decision", verification: (await answer.json()) as Verification };
  } catch {
    return { kind: "unanswered", code, why: "no_connection" };
  }
}
