import { useEffect, useState } from "react";

/** When this browser got each answer, by its `checkedAt`, on its own clock: the server's may differ. */
const gotAt = new Map<string, number>();
const lifetimeMs = 60_000;
const lookMs = 5_000;

export interface Freshness {
  /** How long ago the answer came; null before scripts run. */
  ageMs: number | null;
  /** Too old to be relied on, or brought back by the browser. */
  isStale: boolean;
  /** The last try to ask anew got no answer. */
  isCutOff: boolean;
}

/**
 * How old an answer is. Asks anew when it is a minute old, when the page is seen again, and when the browser brings it
 * back as it was: from its back-forward cache or from what the router kept.
 * @param askAnew gets a newer answer, which arrives as another `at`. Rejects where there is no connection.
 */
export function useFreshness(at: string, askAnew: () => Promise<void>): Freshness {
  const [now, setNow] = useState<number | null>(null);
  const [broughtBack, setBroughtBack] = useState<string | null>(null);
  const [cutOff, setCutOff] = useState<string | null>(null);

  useEffect(() => {
    const since = gotAt.get(at) ?? Date.now();
    gotAt.set(at, since);
    let triedAt = since;
    let gone = false;
    const age = () => Date.now() - since;

    function ask() {
      triedAt = Date.now();
      askAnew().then(
        () => !gone && setCutOff(null),
        () => !gone && setCutOff(at),
      );
    }
    function look() {
      setNow(Date.now());
      if (document.visibilityState === "visible" && Date.now() - triedAt >= lifetimeMs) ask();
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

    setNow(Date.now());
    if (age() >= lookMs) {
      setBroughtBack(at);
      ask();
    }
    const timer = setInterval(look, lookMs);
    document.addEventListener("visibilitychange", seenAgain);
    window.addEventListener("online", seenAgain);
    window.addEventListener("pageshow", shown);
    return () => {
      gone = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seenAgain);
      window.removeEventListener("online", seenAgain);
      window.removeEventListener("pageshow", shown);
    };
    // askAnew is made anew at each render, and does the same each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [at]);

  const ageMs = now === null ? null : Math.max(0, now - (gotAt.get(at) ?? now));
  return { ageMs, isStale: broughtBack === at || (ageMs ?? 0) >= lifetimeMs, isCutOff: cutOff === at };
}
