"use client";
import { useQuery } from "@tanstack/react-query";
import { SquareActivity } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { useThingNames } from "../_data/names";
import { aboutOf, writtenAt } from "../events/about";
import { eventWords } from "../events/words";
import { AllOf } from "./all-of";

/** The most recent events. */
export function RecentEvents() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.events.list.queryOptions({ limit: 8 }, { refetchInterval: 5_000 }));
  // Some events name what they are about only by its id.
  const unnamed = (data?.data ?? []).flatMap((event) => {
    const { id, name } = aboutOf(event);
    return name === null && /^(grp|con)_/.test(id) ? [id] : [];
  });
  const nameOf = useThingNames(unnamed);
  return (
    <Panel flush title="Recent events" actions={<AllOf href="/events">All events</AllOf>}>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="p-5">
          <SkeletonLines lines={8} />
        </div>
      ) : data.data.length === 0 ? (
        <Empty icon={SquareActivity} title="Nothing has happened yet">
          Each change appears here within milliseconds.
        </Empty>
      ) : (
        <ul className="divide-y divide-separator">
          {data.data.map((event) => {
            const { id, name } = aboutOf(event);
            return (
              <li key={event.id}>
                <Link
                  href={`/events?event=${event.id}`}
                  className="flex items-baseline gap-3 px-4 py-2.5 outline-none hover:bg-surface-secondary focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset sm:px-5"
                >
                  <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
                    <span className="block shrink-0 truncate text-[0.8125rem] font-medium sm:w-48" title={event.type}>
                      {eventWords(event.type)}
                    </span>
                    <span className="block min-w-0 truncate text-[0.8125rem] text-muted">
                      {name ?? nameOf(id) ?? id}
                    </span>
                  </span>
                  <span className="shrink-0 text-xs text-muted">
                    <Time at={writtenAt(event)} />
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
