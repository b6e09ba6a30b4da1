"use client";
import { Button, toast } from "@heroui/react";
import { History, RotateCw, SearchX, Send } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from "nuqs";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { countElsewhere, useChosen } from "@/components/ui/chosen";
import { ChosenBar } from "@/components/ui/chosen-bar";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list-frame";
import { Pager, usePage } from "@/components/ui/pager";
import { Time, useNow } from "@/components/ui/time";
import { deliveryStatuses } from "@/server/webhooks/deliveries/delivery-states";
import type { DeliveryView } from "@/server/webhooks/deliveries/delivery-view";
import { EventTypeFilter } from "../../events/event-type-filter";
import { eventWords } from "../../events/words";
import { useSession } from "../../_shell/session";
import { DeliveryPanel } from "./delivery-panel";
import { DeliveryStatus } from "./delivery-status";
import { EndpointFilter } from "./endpoint-filter";
import { useEndpointName } from "./endpoint-names";
import { errorWords } from "./error-words";
import { RecoverDialog } from "./recover-dialog";
import { anyTime, SpanFilter, spanParsers, useSpan } from "./span-filter";
import { useDeliveries } from "./use-deliveries";

const column = columnsOf<DeliveryView>();
const event = column.accessor("eventType", {
  header: "Event",
  meta: { phone: "title" },
  cell: ({ row: { original: d } }) => (
    <>
      {eventWords(d.eventType)}
      {d.trigger === "test" && <span className="ms-2 text-xs font-normal text-muted">test</span>}
      <code className="block font-mono text-xs font-normal wrap-anywhere text-muted">{d.eventType}</code>
    </>
  ),
});
const endpointColumn = column.accessor("endpointId", {
  header: "Endpoint",
  cell: ({ getValue }) => <EndpointName id={getValue()} />,
});
const others = [
  column.accessor("status", {
    header: "Status",
    cell: ({ row: { original: d } }) => <StatusAndNextTry delivery={d} />,
  }),
  column.display({
    id: "answer",
    header: "Last answer",
    cell: ({ row: { original: d } }) => <LastAnswer delivery={d} />,
  }),
  column.accessor("attemptCount", {
    header: "Attempts",
    meta: { align: "end", phone: "hide", wide: true },
    cell: ({ getValue }) => <span className="text-muted tabular-nums">{getValue()}</span>,
  }),
  column.accessor("createdAt", {
    header: "Made",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
];
const ofOne = column.columns([event, ...others]);
const ofAll = column.columns([event, endpointColumn, ...others]);

const statusOptions = [
  { value: "succeeded", label: "Delivered" },
  { value: "pending", label: "Queued or retrying" },
  { value: "failed", label: "Failed" },
  { value: "parked", label: "Parked" },
  { value: "cancelled", label: "Cancelled" },
] as const;

/** Less than what a list tells apart. */
const soonMs = 15_000;

const whyNotAll =
  "The others are in flight or cancelled, their event has expired, or their endpoint is paused or disabled.";

const filters = {
  status: parseAsStringLiteral(deliveryStatuses),
  type: parseAsString,
  endpoint: parseAsString,
  ...spanParsers,
};

/** Lists deliveries, newest first: to all endpoints, or to the endpoint of the page. */
export function DeliveryList({ endpointId }: { endpointId?: string }) {
  const trpc = useTRPC();
  const { can, user, current } = useSession();
  const [{ status, type, endpoint, ...span }, setFilters] = useQueryStates(filters);
  const [opened, setOpened] = useQueryState("delivery", parseAsString.withOptions({ history: "push" }));
  const [recovering, setRecovering] = useState(false);
  const choosing = useChosen<DeliveryView>(`deliveries ${endpointId ?? "all"} ${user.id} ${current.orgId}`);
  const at = usePage();
  const narrow = (next: Parameters<typeof setFilters>[0]) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const to = endpointId ?? endpoint;
  const { query, total } = useDeliveries(
    { ...(to && { endpointId: to }), ...(status && { status }), ...(type && { type }), ...useSpan(span) },
    at,
  );
  const resend = useAction(trpc.webhooks.deliveries.resendMany.mutationOptions(), {
    onDone({ queued, requested }) {
      choosing.clear();
      if (queued === requested) toast.success(`${queued} sent again`);
      else
        toast.warning(queued === 0 ? "None could be sent again" : `${queued} of ${requested} sent again`, {
          description: whyNotAll,
        });
    },
    loud: true,
  });
  const ids = [...choosing.chosen.keys()];
  const narrowed = status || type || span.time || (endpointId === undefined && endpoint);
  const mayWrite = can("webhooks:write");
  return (
    <>
      <ListFrame
        filters={
          <>
            {endpointId === undefined && (
              <EndpointFilter value={endpoint} onChange={(next) => narrow({ endpoint: next })} />
            )}
            <Filter
              label="Status"
              any="Any status"
              value={status}
              onChange={(next) => narrow({ status: next })}
              options={statusOptions}
              className="w-44"
            />
            <EventTypeFilter value={type} onChange={(next) => narrow({ type: next })} />
            <SpanFilter value={span} onChange={narrow} />
            {mayWrite && (
              <Button variant="ghost" className="ms-auto text-muted max-sm:w-full" onPress={() => setRecovering(true)}>
                <History aria-hidden="true" /> Recover or replay…
              </Button>
            )}
          </>
        }
        pager={
          <Pager at={at} total={total} isPlaceholder={query.isPlaceholderData} noun={["delivery", "deliveries"]} />
        }
      >
        <DataTable
          label="Deliveries"
          columns={endpointId === undefined ? ofAll : ofOne}
          query={{ ...query, data: query.data && { ...query.data, ...(total !== undefined && { total }) } }}
          rowKey={(d) => d.id}
          onOpen={(d) => void setOpened(d.id)}
          {...(mayWrite && {
            selection: { ...choosing, nameOf: (d: DeliveryView) => `${eventWords(d.eventType)}, ${d.id}` },
          })}
          empty={
            narrowed ? (
              <Empty
                icon={SearchX}
                title="No delivery matches"
                action={
                  <Button
                    variant="outline"
                    onPress={() => narrow({ status: null, type: null, endpoint: null, ...anyTime })}
                  >
                    Clear filters
                  </Button>
                }
              />
            ) : (
              <Empty icon={Send} title="Nothing was sent yet">
                Deliveries appear here the moment an event is written. Send a test to see one.
              </Empty>
            )
          }
        />
      </ListFrame>
      <ChosenBar
        count={ids.length}
        elsewhere={countElsewhere(choosing.chosen, query.data?.data, (d) => d.id)}
        noun={["delivery", "deliveries"]}
        onClear={choosing.clear}
      >
        <Button size="sm" isPending={resend.isPending} onPress={() => resend.run({ ids })}>
          <RotateCw aria-hidden="true" /> Resend
        </Button>
      </ChosenBar>
      <RecoverDialog
        isOpen={recovering}
        onOpenChange={setRecovering}
        suggested={endpoint}
        {...(endpointId && { endpointId })}
      />
      <DeliveryPanel id={opened} onClose={() => void setOpened(null)} />
    </>
  );
}

function StatusAndNextTry({ delivery: d }: { delivery: DeliveryView }) {
  const now = useNow();
  const next = d.status === "pending" && d.attemptCount > 0 ? d.nextAttemptAt : null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1 max-sm:justify-end">
      <DeliveryStatus delivery={d} />
      {next && (
        <span className="text-xs text-muted">
          {Date.parse(next) - (now || Date.now()) < soonMs ? "now" : <Time at={next} />}
        </span>
      )}
    </span>
  );
}

function LastAnswer({ delivery: d }: { delivery: DeliveryView }) {
  return (
    <span className="text-muted tabular-nums">
      {d.lastStatusCode ?? (d.lastErrorClass ? errorWords[d.lastErrorClass].title : "–")}
    </span>
  );
}

function EndpointName({ id }: { id: string }) {
  const found = useEndpointName()(id);
  const look = "block max-w-52 truncate text-muted max-sm:text-right max-lg:sm:max-w-36";
  if (!found?.href) return <span className={look}>{found?.name ?? "…"}</span>;
  return (
    <Link
      href={found.href}
      title={found.name}
      className={`${look} relative z-10 w-fit rounded-sm outline-none hover:text-foreground hover:underline focus-visible:ring-2 focus-visible:ring-focus`}
    >
      {found.name}
    </Link>
  );
}
