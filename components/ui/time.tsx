"use client";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The browser's clock in steps of `seconds`, shared by all that show it. */
export function useNow(seconds = 15): number {
  const step = seconds * 1000;
  return useSyncExternalStore(subscribe, () => Math.floor(now / step) * step, () => 0);
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const units: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400], ["hour", 3600], ["minute", 60]];
const month = 30 * 86_400;

/** How far away an instant is; further than a month, its date. */
function ago(at: number, from: number): string {
  const seconds = Math.round((at - from) / 1000);
  if (Math.abs(seconds) >= month) return day.format(at);
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 15 ? `in ${seconds} s` : "just now";
}

interface Props {
  at: string | null | undefined;
  /** relative: "3 min ago", the exact time on hover. Others as named. */
  as?: "relative" | "date" | "exact";
  absent?: string;
}

export function Time({ at, as = "relative", absent = "–" }: Props) {
  const from = useNow();
  if (!at) return <span className="text-muted">{absent}</span>;
  const date = new Date(at);
  const exact = absolute.format(date);
  const text = as === "relative" ? ago(date.getTime(), from || Date.now()) : as === "date" ? day.format(date) : exact;
  return (
    <time dateTime={at} title={exact} className="whitespace-nowrap tabular-nums" suppressHydrationWarning>
      {text}
    </time>
  );
}
