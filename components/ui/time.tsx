"use client";
import { useSyncExternalStore } from "react";
import {
  endsWithDay,
  formatDay,
  formatExact,
  formatExactUntil,
  formatUntil,
  lastDayOf,
  type Region,
} from "@/server/core/dates";
import { useRegion } from "./region";

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

/** The browser's clock in steps of `seconds`, shared by all components that show it. */
export function useNow(seconds = 15): number {
  const step = seconds * 1000;
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(now / step) * step,
    () => 0,
  );
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const month = 30 * 86_400;

/** Formats the distance to an instant; its date if it is more than a month away. */
function ago(at: number, from: number, region: Region): string {
  const seconds = Math.round((at - from) / 1000);
  if (Math.abs(seconds) >= month) return formatDay(new Date(at), region);
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 15 ? `in ${seconds} s` : "just now";
}

interface Props {
  at: string | null | undefined;
  /** relative: "3 min ago", the exact time on hover. */
  as?: "relative" | "date" | "exact";
  absent?: string;
}

/** An instant, in the organisation's time zone. */
export function Time({ at, as = "relative", absent = "–" }: Props) {
  const from = useNow();
  const region = useRegion();
  if (!at) return <span className="text-muted">{absent}</span>;
  const exact = formatExact(at, region);
  const text =
    as === "relative" ? ago(Date.parse(at), from || Date.now(), region) : as === "date" ? formatDay(at, region) : exact;
  return (
    <time dateTime={at} title={exact} className="whitespace-nowrap tabular-nums" suppressHydrationWarning>
      {text}
    </time>
  );
}

interface LastDayProps {
  /** The exclusive instant of an end. */
  end: string | null | undefined;
  absent?: string;
  /** Whether to show the time too if it ends within a day. */
  exact?: boolean;
}

/** The last day of something, in the organisation's time zone. */
export function LastDay({ end, absent = "–", exact = false }: LastDayProps) {
  const region = useRegion();
  if (!end) return <span className="text-muted">{absent}</span>;
  return (
    <time
      dateTime={endsWithDay(end, region.timeZone) ? lastDayOf(end, region.timeZone) : end}
      className="whitespace-nowrap tabular-nums"
    >
      {exact ? formatExactUntil(end, region) : formatUntil(end, region)}
    </time>
  );
}
