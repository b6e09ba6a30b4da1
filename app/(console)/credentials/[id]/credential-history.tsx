"use client";
import { Button } from "@heroui/react";
import { useInfiniteQuery } from "@tanstack/react-query";
import {
  BadgeCheck,
  CalendarX,
  CircleOff,
  FilePlus2,
  PauseCircle,
  Pencil,
  PlayCircle,
  type LucideIcon,
} from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { ActorName } from "../../_data/actor-name";
import { useActors } from "../../_data/names";

type Entry = RouterOutputs["credentials"]["history"]["data"][number];

const steps: Record<Entry["action"], { icon: LucideIcon; word: string; tone: string }> = {
  created: { icon: FilePlus2, word: "Created", tone: "text-muted" },
  issued: { icon: BadgeCheck, word: "Issued", tone: "text-success" },
  updated: { icon: Pencil, word: "Changed", tone: "text-muted" },
  suspended: { icon: PauseCircle, word: "Suspended", tone: "text-warning" },
  resumed: { icon: PlayCircle, word: "Resumed", tone: "text-success" },
  expired: { icon: CalendarX, word: "Expired", tone: "text-muted" },
  revoked: { icon: CircleOff, word: "Revoked", tone: "text-danger" },
};

const none: Entry[] = [];

/** Every step of the credential's life, newest first. */
export function CredentialHistory({ id }: { id: string }) {
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: ["credentials", "history", id],
    queryFn: ({ pageParam }) => client.credentials.history.query({ id, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? none, [query.data]);
  const actorOf = useActors(useMemo(() => entries.map((entry) => entry.actor), [entries]));
  return (
    <Panel title="History">
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <SkeletonLines lines={4} />
      ) : (
        <ol>
          {entries.map((entry, i) => (
            <Step
              key={entry.id}
              entry={entry}
              by={<ActorName actor={actorOf(entry.actor)} />}
              last={i === entries.length - 1 && !query.hasNextPage}
            />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button
          variant="outline"
          size="sm"
          isPending={query.isFetchingNextPage}
          onPress={() => void query.fetchNextPage()}
        >
          Earlier steps
        </Button>
      )}
    </Panel>
  );
}

interface StepProps {
  entry: Entry;
  by: ReactNode;
  last: boolean;
}

function Step({ entry, by, last }: StepProps) {
  const { icon: Icon, word, tone } = steps[entry.action];
  return (
    <li className="relative flex gap-3 pb-5 last:pb-0">
      {!last && <span className="absolute top-7 bottom-0.5 left-[0.8125rem] w-px bg-separator" aria-hidden="true" />}
      <span className="grid size-6.5 shrink-0 place-items-center rounded-full border bg-surface">
        <Icon className={`size-3.5 ${tone}`} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5 text-[0.8125rem]">
        <p className="flex flex-wrap items-baseline gap-x-1.5">
          <span className="font-medium">{word}</span>
          <span className="text-muted">by {by}</span>
          <span className="ms-auto text-xs text-muted">
            <Time at={entry.createdAt} />
          </span>
        </p>
        {entry.reason && (
          <p className="mt-1 text-pretty">
            <span className="text-muted">Public reason:</span> {entry.reason}
          </p>
        )}
        {entry.note && (
          <p className="mt-1 text-pretty">
            <span className="text-muted">Private note:</span> {entry.note}
          </p>
        )}
      </div>
    </li>
  );
}
