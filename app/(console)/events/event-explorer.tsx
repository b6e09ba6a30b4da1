"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SearchX, SquareActivity } from "lucide-react";
import { parseAsString, useQueryState, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { Narrowed } from "@/components/ui/narrowed";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SearchBox } from "@/components/ui/search-box";
import { Time } from "@/components/ui/time";
import { useActorOptions } from "../_data/actor-options";
import { useActorNames, useThingName } from "../_data/names";
import { anyTime, SpanFilter, spanParsers, useSpan } from "../webhooks/_parts/span-filter";
import { aboutOf, writtenAt, type LoggedEvent } from "./about";
import { EventPanel } from "./event-panel";
import { EventTypeFilter } from "./event-type-filter";
import { eventWords } from "./words";

type Row = LoggedEvent & { by: string };

const column = columnsOf<Row>();
const columns = column.columns([
  column.accessor("type", {
    header: "Event",
    meta: { phone: "title" },
    cell: ({ getValue }) => (
      <>
        {eventWords(getValue())}
        <code className="block font-mono text-xs font-normal text-muted">{getValue()}</code>
      </>
    ),
  }),
  column.display({ id: "about", header: "About", cell: ({ row: { original: event } }) => <About event={event} /> }),
  column.accessor("by", {
    header: "By",
    meta: { wide: true },
    cell: ({ getValue }) => (
      <span className="block max-w-48 truncate text-muted">
        <bdi>{getValue()}</bdi>
      </span>
    ),
  }),
  column.accessor("sequence", {
    header: "Number",
    meta: { align: "end", phone: "hide" },
    cell: ({ getValue }) => <span className="text-muted tabular-nums">{getValue()}</span>,
  }),
  column.accessor("created", {
    header: "When",
    meta: { align: "end" },
    cell: ({ row: { original: event } }) => (
      <span className="text-muted">
        <Time at={writtenAt(event)} />
      </span>
    ),
  }),
]);

const filters = { type: parseAsString, resource: parseAsString.withDefault(""), actor: parseAsString, ...spanParsers };
const unfiltered = { type: null, resource: null, actor: null, ...anyTime };
const none: LoggedEvent[] = [];

/** The event log, newest first, as webhooks tell it and GET /v1/events reads it. */
export function EventExplorer() {
  const trpc = useTRPC();
  const [{ type, resource, actor, ...span }, setFilters] = useQueryStates(filters);
  const [opened, setOpened] = useQueryState("event", parseAsString.withOptions({ history: "push" }));
  const at = usePage(50);
  const narrow = (next: Parameters<typeof setFilters>[0]) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const search = (text: string) => {
    const wanted = text.trim();
    if (wanted.startsWith("evt_")) void setOpened(wanted);
    else narrow({ resource: wanted || null });
  };
  const query = useQuery(
    trpc.events.list.queryOptions(
      {
        ...at.range,
        ...(type && { type }),
        ...(resource && { relatedTo: resource }),
        ...(actor && { actorId: actor }),
        ...useSpan(span),
      },
      { placeholderData: keepPreviousData, refetchInterval: at.page === 1 ? 5_000 : false },
    ),
  );
  const actors = useActorOptions();
  const isKnown = actors.some(({ value }) => value === actor);
  const nameOf = useActorNames(useMemo(() => (query.data?.data ?? none).map((event) => event.actor), [query.data]));
  // A known id is shown as a filter with its name. Any other id stays in the box, so that it can be corrected.
  const resourceName = useThingName(resource);
  const actorName = useThingName(actor && !isKnown ? actor : null);
  const rows = useMemo(
    () => query.data && { data: query.data.data.map((event): Row => ({ ...event, by: nameOf(event.actor) })) },
    [query.data, nameOf],
  );
  return (
    <>
      <PageHeader
        title="Events"
        description={
          <>
            What happened, in order and without gaps. Webhooks tell the same, and{" "}
            <code className="font-mono text-[0.8125rem]">GET /v1/events</code> reads it.
          </>
        }
      />
      <ListFrame
        filters={
          <>
            <SearchBox
              label="Narrow to a resource, or open an event"
              placeholder="Id of a resource or an event"
              value={resourceName ? "" : resource}
              onChange={search}
              className="w-full sm:w-80"
            />
            {resourceName && (
              <Narrowed label="About" value={resource} name={resourceName} onClear={() => narrow({ resource: null })} />
            )}
            <EventTypeFilter value={type} onChange={(next) => narrow({ type: next })} />
            <Filter
              label="By"
              any="By anyone"
              value={isKnown ? actor : null}
              onChange={(next) => narrow({ actor: next })}
              options={actors}
              className="w-44"
            />
            {actor && !isKnown && (
              <Narrowed label="By" value={actor} name={actorName} onClear={() => narrow({ actor: null })} />
            )}
            <SpanFilter value={span} onChange={narrow} />
          </>
        }
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["event", "events"]} />
        }
      >
        <DataTable
          label="Events"
          columns={columns}
          query={{ ...query, data: rows }}
          rowKey={(event) => event.id}
          onOpen={(event) => void setOpened(event.id)}
          empty={
            type || resource || actor || span.time ? (
              <Empty
                icon={SearchX}
                title="No event matches"
                action={
                  <Button variant="outline" onPress={() => narrow(unfiltered)}>
                    Clear filters
                  </Button>
                }
              >
                Events are kept for a while, 30 days unless your operator chose otherwise. The audit log and histories
                are kept longer.
              </Empty>
            ) : (
              <Empty icon={SquareActivity} title="No events yet">
                Add a person or issue a credential, and what happened appears here within milliseconds.
              </Empty>
            )
          }
        />
      </ListFrame>
      <EventPanel
        id={opened || null}
        onClose={() => void setOpened(null)}
        onNarrow={(next) => {
          void setOpened(null);
          narrow(next);
        }}
      />
    </>
  );
}

function About({ event }: { event: LoggedEvent }) {
  const { id, name } = aboutOf(event);
  return (
    <span
      className={`block truncate text-muted max-sm:text-right sm:max-w-64 ${name ? "" : "font-mono text-xs"}`}
      title={id}
    >
      {name ?? id}
    </span>
  );
}
