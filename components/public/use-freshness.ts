import { useEffect, useRef, useState } from "react";

/** When this browser got each answer, by its `checkedAt`, on its own clock: the server's may differ. */
const gotAt = new Map<string, number>();
/** Answers that a page was kept with. However new they are, nobody was asked just now. */
const keptWith = new Set<string>();

/** Says when an answer was got that this page was not served with just now (bundle/browser/offline.ts). */
export function gotBefore(at: string): void {
  gotAt.set(at, Date.parse(at));
  keptWith.add(at);
}

/** An older answer is not to be relied on. */
const lifetimeMs = 60_000;
/** While the page is seen. 4 of the 600 requests a minute that an address has. */
const askEveryMs = 15_000;
const lookMs = 5_000;

export interface Freshness {
  /** How long ago the answer came; null before scripts run. */
  ageMs: number | null;
  /** Too old to be relied on, or brought back by the browser. */
  isStale: boolean;
  /** Why the last try to ask anew got no answer, in words; null where it got one. */
  cutOff: string | null;
  /** Asks anew at once. */
  ask(): void;
}

interface Asking {
  /** Gets a newer answer, which arrives as another `at`. Rejects with why there is none, in words. */
  askAnew(): Promise<void>;
  /** Whether it is asked without anybody asking for it. */
  isAuto: boolean;
}

/**
 * How old an answer is. Asks anew each 15 seconds while the page is seen, when it is seen again, and when the browser
 * brings it back as it was: from its back-forward cache or from what the router kept.
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
  // Made anew at each render, and does the same each time.
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
