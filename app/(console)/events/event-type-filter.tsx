"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Filter } from "@/components/ui/filter";
import { eventWords, familyWords } from "./words";

/** Filters a list by a family of events or by one type. */
export function EventTypeFilter({ value, onChange }: { value: string | null; onChange(value: string | null): void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.events.types.queryOptions({}, { staleTime: Infinity }));
  const options = useMemo(
    () =>
      [...Map.groupBy(data?.data ?? [], (each) => each.family)].flatMap(([family, types]) => [
        { value: family, label: familyWords(family), description: family },
        ...types.map(({ type }) => ({ value: type, label: eventWords(type), description: type })),
      ]),
    [data],
  );
  return (
    <Filter<string>
      label="Event type"
      any="Any event"
      value={value}
      onChange={onChange}
      options={options}
      className="w-56"
    />
  );
}
