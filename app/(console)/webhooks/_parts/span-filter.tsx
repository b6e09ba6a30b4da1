"use client";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useMemo } from "react";
import { DateInput } from "@/components/ui/date-input";
import { Filter } from "@/components/ui/filter";
import { useRegion } from "@/components/ui/region";
import { endOfDay, isDay, startOfDay } from "@/server/core/dates";

const choices = ["1h", "24h", "7d", "30d", "days"] as const;
const options = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "days", label: "From day to day" },
] as const;
const hoursOf = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 };

/** A time span in the format of the URL. */
export const spanParsers = {
  time: parseAsStringLiteral(choices),
  from: parseAsString.withDefault(""),
  through: parseAsString.withDefault(""),
};
export const anyTime = { time: null, from: null, through: null };

export interface Span {
  time: (typeof choices)[number] | null;
  from: string;
  through: string;
}

/** Filters a list by the last hours, or by days of the organisation's calendar. */
export function SpanFilter({
  value,
  onChange,
}: {
  value: Span;
  onChange(next: { time?: Span["time"]; from?: string | null; through?: string | null }): void;
}) {
  return (
    <>
      <Filter
        label="Time"
        any="Any time"
        value={value.time}
        onChange={(time) => onChange({ time, from: null, through: null })}
        options={options}
        className="w-40"
      />
      {value.time === "days" && (
        <div className="flex flex-wrap items-center gap-2 text-xs text-muted max-sm:w-full">
          <DateInput
            compact
            label="From"
            value={day(value.from)}
            onChange={(from) => onChange({ from: from || null })}
          />
          <span>to</span>
          <DateInput
            compact
            label="Through"
            value={day(value.through)}
            onChange={(through) => onChange({ through: through || null })}
          />
        </div>
      )}
    </>
  );
}

/**
 * The instants between which entries are requested. Instants relative to now are rounded to the minute, so that a new
 * render does not cause a new request.
 */
export function useSpan({ time, from, through }: Span): { createdAfter?: string; createdBefore?: string } {
  const { timeZone } = useRegion();
  return useMemo(() => {
    if (time === null) return {};
    if (time !== "days")
      return {
        createdAfter: new Date(Math.floor(Date.now() / 60_000) * 60_000 - hoursOf[time] * 3_600_000).toISOString(),
      };
    const [first, last] = [day(from), day(through)];
    return {
      ...(first && { createdAfter: new Date(startOfDay(first, timeZone).getTime() - 1).toISOString() }),
      ...(last && { createdBefore: endOfDay(last, timeZone).toISOString() }),
    };
  }, [time, from, through, timeZone]);
}

/** The day if it is a valid one, because the URL may contain anything. */
function day(text: string): string {
  return isDay(text) && text >= "1000-01-01" && text < "9999-12-31" ? text : "";
}
