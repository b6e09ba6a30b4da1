import { useEffect, useRef, useState } from "react";

/** When this browser received each answer, keyed by `checkedAt`, by its own clock: the server's may differ. */
const gotAt = new Map<string, number>();
/** Answers in kept pages. However new they are, the service was not asked now. */
const keptWith = new Set<string>();

/** Records when an answer was received that did not come with a fresh page (bundle/browser/offline.ts). */
export function gotBefore(at: string): void {
  gotAt.set(at, Date.parse(at));
  keptWith.add(at);
}

/** The age from which an answer is outdated. */
const lifetimeMs = 60_000;
/** The refresh interval while the page is visible. It uses 4 of the 600 requests a minute that an address has. */
const askEveryMs = 15_000;
const lookMs = 5_000;

export interface Freshness {
  /** The age of the answer; null before scripts run. */
  ageMs: number | null;
  /** Whether the answer is outdated, or was restored by the browser. */
  isStale: boolean;
  /** Why the last refresh failed, in words; null if it succeeded. */
  cutOff: string | null;
  /** Refreshes at once. */
  ask(): void;
}

interface Asking {
  /** Requests a newer answer, which arrives as another `at`. Rejects with the reason in words. */
  askAnew(): Promise<void>;
  /** Whether to refresh automatically. */
  isAuto: boolean;
}

/**
 * Tracks the age of an answer. Refreshes every 15 seconds while the page is visible, when it becomes visible again, and
 * when the browser restores it from its back-forward cache or from the router's cache.
 */
export function useFreshness(at: string, { askAnew, isAuto }: Asking): Freshness {
  const [now, setNow] = useState<number | null>(null);
  const [broughtBack, setBroughtBack] = useState<string | null>(null);
  const [cutOff, setCutOff] = useState<{ at: string; why: string } | null>(null);
  const triedAt = useRef(0);

  function ask() {
    triedAt.current = Date.now();
    askAnew().then(
      () => setCutOff(null),
      (error: unknown) =>
        setCutOff({ at, why: error instanceof Error && error.message ? error.message : "no connection" }),
    );
  }
  // The function is created in each render, and always does the same.
  const newest = useRef(ask);
  useEffect(() => void (newest.current = ask));

  useEffect(() => {
    const since = gotAt.get(at) ?? Date.now();
    gotAt.set(at, since);
    triedAt.current = since;
    const age = () => Date.now() - since;
    const ask = () => isAuto && newest.current();
    function look() {
      setNow(Date.now());
      if (document.visibilityState === "visible" && Date.now() - triedAt.current >= askEveryMs) ask();
    }
    function seenAgain() {
      setNow(Date.now());
      if (document.visibilityState === "visible" && age() >= lookMs) ask();
    }
    function shown({ persisted }: PageTransitionEvent) {
      if (!persisted) return;
      setBroughtBack(at);
      ask();
    }

    function begin() {
      setNow(Date.now());
      if (age() < lookMs && !keptWith.has(at)) return;
      setBroughtBack(at);
      ask();
    }

    const first = setTimeout(begin);
    const timer = setInterval(look, lookMs);
    document.addEventListener("visibilitychange", seenAgain);
    window.addEventListener("online", seenAgain);
    window.addEventListener("pageshow", shown);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seenAgain);
      window.removeEventListener("online", seenAgain);
      window.removeEventListener("pageshow", shown);
    };
  }, [at, isAuto]);

  const ageMs = now === null ? null : Math.max(0, now - (gotAt.get(at) ?? now));
  return {
    ageMs,
    isStale: broughtBack === at || (ageMs ?? 0) >= lifetimeMs,
    cutOff: cutOff?.at === at ? cutOff.why : null,
    ask,
  };
}
