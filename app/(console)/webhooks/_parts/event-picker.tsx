"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Tick } from "@/components/ui/confirm";
import { eventWords, familyWords } from "../../events/words";
import { Failure } from "@/components/ui/failure";
import { SkeletonLines } from "@/components/ui/skeleton";

/**
 * Chooses types and family patterns to subscribe to; an empty choice means every event. A chosen family includes types
 * that are added later.
 */
export function EventPicker({ value, onChange }: { value: readonly string[]; onChange(value: string[]): void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.events.types.queryOptions({}, { staleTime: Infinity }));
  const families = useMemo(() => [...Map.groupBy(data?.data ?? [], (each) => each.family)], [data]);
  const every = value.length === 0;
  const toggle = (pattern: string, on: boolean, within: readonly string[] = []) => {
    const rest = value.filter((each) => each !== pattern && !within.includes(each));
    onChange(on ? [...rest, pattern] : rest);
  };
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[0.8125rem] font-medium">Events</legend>
      <div className="max-h-80 scrollbar overflow-y-auto rounded-lg border px-3.5 py-3">
        <Tick isSelected={every} onChange={() => onChange([])} isDisabled={every}>
          <span className="font-medium">Every event</span>
        </Tick>
        {!data && (
          <div className="pt-4">
            <SkeletonLines lines={6} />
          </div>
        )}
        {families.map(([family, types]) => {
          const parent = families.find(([other]) => other !== family && family.startsWith(other.slice(0, -1)))?.[0];
          const whole = value.includes(family) || (parent !== undefined && value.includes(parent));
          return (
            <div
              key={family}
              role="group"
              aria-label={`${familyWords(family)}, ${family}`}
              className={`mt-3 border-t pt-3 ${parent ? "ms-6" : ""}`}
            >
              <Tick
                isSelected={whole}
                isDisabled={parent !== undefined && value.includes(parent)}
                onChange={(on) =>
                  toggle(
                    family,
                    on,
                    types.map((t) => t.type),
                  )
                }
              >
                <span className="font-medium">{familyWords(family)}</span>{" "}
                <code className="font-mono text-xs text-muted">{family}</code>{" "}
                <span className="text-xs text-muted max-sm:block">also those added later</span>
              </Tick>
              <div className="ms-6 mt-1">
                {types.map((each) => (
                  <Tick
                    key={each.type}
                    isSelected={whole || value.includes(each.type)}
                    isDisabled={whole}
                    onChange={(on) => toggle(each.type, on)}
                    className="py-0.5"
                  >
                    <span title={each.description}>{eventWords(each.type)}</span>{" "}
                    <code className="font-mono text-xs text-muted max-sm:block">{each.type}</code>
                  </Tick>
                ))}
              </div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
