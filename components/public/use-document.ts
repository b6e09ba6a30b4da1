import { useRef, useState } from "react";
import type { Verification } from "@/server/verification/view";

/** What was pasted, or the file that was chosen. */
export type Handed = string | File;

export type DocumentRead =
  | { kind: "checking" }
  | { kind: "decision"; verification: Verification }
  | { kind: "unanswered"; why: string };

/** The issuer's servers may take their time, 5 seconds for each document. */
const patienceMs = 30_000;

/**
 * Has the service verify a credential that is handed in. The newest one counts: an answer to an earlier one is dropped.
 */
export function useDocument() {
  const [read, setRead] = useState<DocumentRead | null>(null);
  const newest = useRef<Handed | null>(null);

  async function check(handed: Handed) {
    newest.current = handed;
    setRead({ kind: "checking" });
    const answer = await ask(handed);
    if (newest.current === handed) setRead(answer);
  }

  /** Asks again for a decision that grew old. */
  async function askAnew() {
    const handed = newest.current;
    if (handed === null) return;
    const answer = await ask(handed);
    if (answer.kind === "unanswered") throw new Error(answer.why);
    if (newest.current === handed) setRead(answer);
  }

  function clear() {
    newest.current = null;
    setRead(null);
  }

  return { read, check, askAnew, clear };
}

async function ask(handed: Handed): Promise<Exclude<DocumentRead, { kind: "checking" }>> {
  const sent =
    typeof handed === "string"
      ? { body: JSON.stringify({ credential: handed }), headers: { "content-type": "application/json" } }
      : { body: formOf(handed) };
  try {
    const answer = await fetch("/public/verify", {
      method: "POST",
      ...sent,
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
    });
    if (answer.ok) return { kind: "decision", verification: (await answer.json()) as Verification };
    if (answer.status === 413)
      return { kind: "unanswered", why: "It is too large: a file may have 10 MB, a text 1 MB." };
    if (answer.status === 429)
      return { kind: "unanswered", why: "Too many were checked from here. Wait a minute and try again." };
    return { kind: "unanswered", why: "The service does not answer. Try again in a moment." };
  } catch {
    return { kind: "unanswered", why: "There is no connection, or it took too long. Try again." };
  }
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.set("file", file);
  return form;
}
