import { useCallback, useEffect, useRef, useState } from "react";
import { readScan } from "@/server/verification/read-scan";
import { askService, whyWords, type Question } from "./ask-service";
import { device } from "./device/hooks";
import { keepReads, keptReads } from "./kept-reads";
import type { Read, Source } from "./read";
import { readFile } from "./read-file";
import type { VerifyOutcome } from "./verify-answer";

/** The maximum number of stored reads, with or without an answer. */
const kept = 20;
/** The wait before the first, second and each further attempt; the last value repeats. */
const waitsMs = [3_000, 6_000, 12_000, 30_000, 60_000];

/**
 * Processes reads one after the other and asks the service about each. The newest is first; an earlier answer is never
 * shown for it. A read without an answer is sent again: after a growing wait, after the wait that the service asked
 * for, and as soon as the browser is online. A file is sent again after a wait only if there was no connection, and a few
 * times; else when the browser is online again, or on demand.
 */
export function useReads(hosts: string[]) {
  const [reads, setReads] = useState<Read[]>([]);
  const lastId = useRef(0);
  const configuredHosts = useRef(hosts);

  useEffect(() => {
    // The server has no reads, so the first render has none either.
    const restored = setTimeout(() => {
      const before = keptReads();
      lastId.current = Math.max(lastId.current, ...before.map(({ id }) => id));
      setReads((all) => [...all, ...before].slice(0, kept));
    });
    return () => clearTimeout(restored);
  }, []);
  useEffect(() => keepReads(reads), [reads]);

  const change = useCallback((id: number, to: (read: Read) => Partial<Read>) => {
    setReads((all) => all.map((read) => (read.id === id ? { ...read, ...to(read) } : read)));
  }, []);

  const showOutcome = useCallback(
    (id: number, outcome: Read["outcome"], question?: Question) => {
      const isOpen = outcome.kind === "unanswered" || outcome.kind === "offline";
      const note = question && device().noteOutcome?.(id, question, outcome);
      change(id, ({ tries }) => ({ at: new Date(), outcome, note, tries: isOpen ? tries + 1 : 0 }));
      const isValid =
        outcome.kind === "decision"
          ? outcome.verification.result === "valid"
          : outcome.kind === "offline" && outcome.decision.result === "valid";
      navigator.vibrate?.(isValid ? 60 : [120, 80, 120]);
    },
    [change],
  );

  const check = useCallback(
    async (id: number, question: Question, isOffline = false) => {
      // The device's decision applies until the service has answered.
      if (!isOffline) change(id, () => ({ outcome: { kind: "checking" } }));
      const ask = async (question: Question) => {
        const isSigned = "statement" in question && device().check !== undefined;
        const answer = await askService(question, isSigned);
        const isUnanswered = answer.kind === "unanswered";
        if (isUnanswered && isOffline) return change(id, ({ tries }) => ({ at: new Date(), tries: tries + 1 }));
        showOutcome(id, (isUnanswered && (await device().check?.(question))) || answer, question);
      };
      if (!("file" in question)) return ask(question);
      if (question.file.size === 0) return showOutcome(id, { kind: "empty" });
      const ownHosts = [...configuredHosts.current, window.location.host];
      const content = await readFile(question.file, ownHosts).catch(() => null);
      if (content === null) return showOutcome(id, { kind: "unanswered", why: "no_connection" });
      if (content.kind === "several" || content.kind === "heic") return showOutcome(id, content);
      if (content.kind === "file") {
        change(id, () => ({ isPlainPicture: content.isPicture }));
        return ask(question);
      }
      const found = questionIn(content.text, ownHosts);
      if ("kind" in found) return showOutcome(id, found);
      change(id, () => ({ question: found }));
      if (id === lastId.current) keepInAddress(found);
      return ask(found);
    },
    [change, showOutcome],
  );

  function take(handed: string | File, source: Source) {
    const id = ++lastId.current;
    const ownHosts = [...configuredHosts.current, window.location.host];
    const found = typeof handed === "string" ? questionIn(handed, ownHosts, source === "pasted") : { file: handed };
    const question = "kind" in found ? null : found;
    const outcome: Read["outcome"] = "kind" in found ? found : { kind: "checking" };
    const read: Read = { id, at: new Date(), source, question, tries: 0, outcome };
    setReads((all) => [read, ...all].slice(0, kept));
    if (!question) return;
    keepInAddress(question);
    void check(id, question);
  }

  const retry = useCallback(
    ({ id, question, outcome }: Read) => void (question && check(id, question, outcome.kind === "offline")),
    [check],
  );

  /** Refreshes an outdated decision. Rejects with the reason in words. */
  async function askAnew({ id, question }: Read) {
    if (!question) return;
    const outcome = await askService(question);
    if (outcome.kind === "unanswered") throw new Error(whyWords[outcome.why]);
    change(id, () => ({ at: new Date(), outcome }));
  }

  useEffect(() => {
    const waiting = reads.filter(
      ({ outcome }) => outcome.kind === "offline" || (outcome.kind === "unanswered" && outcome.why !== "too_large"),
    );
    const online = () => waiting.forEach(retry);
    window.addEventListener("online", online);
    const timers = waiting
      // Browsers say that they are online before requests succeed, so that event alone is not enough.
      .filter((read) => read.question && (!("file" in read.question) || isUnconnected(read)))
      .map((read) => setTimeout(retry, waitOf(read), read));
    return () => {
      window.removeEventListener("online", online);
      timers.forEach(clearTimeout);
    };
  }, [reads, retry]);

  return { reads, take, retry, askAnew };
}

/**
 * Whether the last attempt found no connection. False after a few attempts: the file may have reached the service each time
 * and only its answer was lost, and a large one should not be sent for ever.
 */
const isUnconnected = ({ outcome, tries }: Read) =>
  outcome.kind === "unanswered" && outcome.why === "no_connection" && tries <= waitsMs.length;

/** The time until the next attempt, in milliseconds. */
function waitOf({ at, tries, outcome }: Read): number {
  const asked = outcome.kind === "unanswered" ? (outcome.retryAfterMs ?? 0) : 0;
  const wait = Math.max(asked, waitsMs[Math.min(tries, waitsMs.length) - 1] ?? 0);
  return Math.max(0, at.getTime() + wait - Date.now());
}

/**
 * @param isPasted whether to send text that is neither a code nor a link as a credential; the answer says what it is
 */
function questionIn(text: string, ownHosts: string[], isPasted = false): Question | VerifyOutcome {
  const scan = readScan(text, ownHosts);
  if (scan.kind === "code") {
    const { kind: _, ...question } = scan;
    return question;
  }
  if (scan.kind === "document" || (isPasted && scan.kind === "unreadable")) return { credential: text };
  return scan;
}

/** Back and a reload request this code again. */
function keepInAddress(question: Question): void {
  if ("code" in question) window.history.replaceState(null, "", `/verify?code=${question.code}`);
}
