"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Json } from "@/components/ui/json";
import { Link } from "@/components/ui/link";
import { SidePanel } from "@/components/ui/side-panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { ActorName } from "../_data/actor-name";
import { useActors } from "../_data/names";
import { consoleHref } from "../_data/places";
import { useSession } from "../_shell/session";
import { aboutOf, writtenAt, type LoggedEvent } from "./about";
import { Changes } from "./changes";
import { EventDeliveries } from "./event-deliveries";
import { eventWords } from "./words";

interface Props {
  id: string | null;
  onClose(): void;
  /** Filters for the events about one record, or by one actor. */
  onNarrow(to: { resource: string } | { actor: string }): void;
}

/** Shows an event in a panel: its content and its deliveries. */
export function EventPanel({ id, onClose, onNarrow }: Props) {
  const trpc = useTRPC();
  const query = useQuery(trpc.events.get.queryOptions({ id: id ?? "" }, { enabled: id !== null, staleTime: Infinity }));
  const event = id === query.data?.id ? query.data : undefined;
  return (
    <SidePanel
      isOpen={id !== null}
      onOpenChange={(open) => !open && onClose()}
      title={event ? eventWords(event.type) : "Event"}
      description={
        event && (
          <>
            <code className="font-mono text-xs">{event.type}</code> · Number {event.sequence} ·{" "}
            <Time at={writtenAt(event)} as="exact" />
          </>
        )
      }
    >
      {event ? (
        <Detail event={event} onNarrow={onNarrow} />
      ) : query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonLines lines={10} />
      )}
    </SidePanel>
  );
}

function Detail({ event, onNarrow }: { event: LoggedEvent } & Pick<Props, "onNarrow">) {
  const { can } = useSession();
  const actorOf = useActors(useMemo(() => [event.actor], [event]));
  const { id, name } = aboutOf(event);
  const place = consoleHref(id, event.data.object);
  return (
    <div className="space-y-6">
      <Facts>
        <Fact name="Event id">
          <Copyable text={event.id} what="event id" />
        </Fact>
        <Fact name="By">
          <span className="flex flex-wrap items-baseline gap-x-3">
            <ActorName actor={actorOf(event.actor)} />
            <MoreButton onPress={() => onNarrow({ actor: event.actor.id })}>All they did</MoreButton>
          </span>
        </Fact>
        <Fact name="About">
          <span className="flex flex-wrap items-baseline gap-x-3">
            {place ? (
              <Link href={place} className="font-medium hover:underline">
                <bdi>{name ?? id}</bdi>
              </Link>
            ) : (
              <bdi>{name ?? id}</bdi>
            )}
            <MoreButton onPress={() => onNarrow({ resource: id })}>All its events</MoreButton>
          </span>
        </Fact>
        <Fact name="Resource id">
          <Copyable text={id} what="resource id" />
        </Fact>
      </Facts>
      {event.data.previous && <Changes before={event.data.previous} after={event.data.object} />}
      {can("webhooks:read") && <EventDeliveries eventId={event.id} />}
      <section>
        <h3 className="mb-2 text-[0.8125rem] font-semibold">Body</h3>
        <Json value={event} what="event" />
      </section>
    </div>
  );
}

function MoreButton({ onPress, children }: { onPress(): void; children: string }) {
  return (
    <Button size="sm" variant="ghost" className="-ms-2.5 h-6 px-2.5 text-xs text-muted md:h-6" onPress={onPress}>
      {children}
    </Button>
  );
}
