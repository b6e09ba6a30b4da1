"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RotateCw, SearchX, Send } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ChosenBar } from "@/components/ui/chosen-bar";
import { columnsOf, DataTable, type RowSelectionState } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { Pager, usePage } from "@/components/ui/pager";
import { Time } from "@/components/ui/time";
import { deliveryStatuses, type DeliveryView } from "@/server/webhooks/delivery-view";
import { EventTypeFilter } from "../../events/event-type-filter";
import { useSession } from "../../_shell/session";
import { DeliveryStatus } from "../_parts/delivery-status";
import { DeliveryPanel } from "../_parts/delivery-panel";
import { useEndpoint } from "./endpoint-frame";

const column = columnsOf<DeliveryView>();
const columns = column.columns([
  column.accessor("eventType", { header: "Event", meta: { phone: "title" }, cell: ({ row: { original: d } }) => <><code className="font-mono text-xs">{d.eventType}</code>{d.trigger === "test" && <span className="ms-2 text-xs font-normal text-muted">test</span>}</> }),
  column.accessor("status", { header: "Status", cell: ({ row: { original: d } }) => <DeliveryStatus delivery={d} /> }),
  column.display({ id: "answer", header: "Last answer", cell: ({ row: { original: d } }) => <span className="text-muted tabular-nums">{d.lastStatusCode ?? d.lastErrorClass?.replace("_", " ") ?? "–"}</span> }),
  column.accessor("attemptCount", { header: "Attempts", meta: { align: "end" }, cell: ({ getValue }) => <span className="text-muted tabular-nums">{getValue()}</span> }),
  column.accessor("nextAttemptAt", { header: "Next try", meta: { wide: true }, cell: ({ row: { original: d } }) => <span className="text-muted"><Time at={d.status === "pending" ? d.nextAttemptAt : null} /></span> }),
  column.accessor("createdAt", { header: "Made", meta: { align: "end" }, cell: ({ getValue }) => <span className="text-muted"><Time at={getValue()} /></span> }),
]);

const statusOptions = [
  { value: "succeeded", label: "Delivered" },
  { value: "pending", label: "Queued or retrying" },
  { value: "failed", label: "Failed" },
  { value: "parked", label: "Parked" },
  { value: "cancelled", label: "Cancelled" },
] as const;
const times = ["1h", "24h", "7d"] as const;
const timeOptions = [{ value: "1h", label: "Last hour" }, { value: "24h", label: "Last 24 hours" }, { value: "7d", label: "Last 7 days" }] as const;
const hoursOf = { "1h": 1, "24h": 24, "7d": 168 };

const filters = { status: parseAsStringLiteral(deliveryStatuses), type: parseAsString, time: parseAsStringLiteral(times) };

export function DeliveryList() {
  const trpc = useTRPC();
  const endpoint = useEndpoint();
  const { can } = useSession();
  const [{ status, type, time }, setFilters] = useQueryStates(filters);
  const [opened, setOpened] = useQueryState("delivery", parseAsString.withOptions({ history: "push" }));
  const at = usePage();
  const [chosen, setChosen] = useState<RowSelectionState>({});
  const narrow = (next: Parameters<typeof setFilters>[0]) => {
    void setFilters(next);
    void at.setPage(null);
    setChosen({});
  };
  const createdAfter = useSince(time);
  const query = useQuery(trpc.webhooks.endpoints.deliveries.queryOptions({ id: endpoint.id, ...at.range, ...(status && { status }), ...(type && { type }), ...(createdAfter && { createdAfter }) }, { placeholderData: keepPreviousData, refetchInterval: 5_000 }));
  const resend = useAction(trpc.webhooks.deliveries.resendMany.mutationOptions(), {
    done: ({ queued, requested }) => (queued === requested ? `${queued} sent again` : `${queued} of ${requested} sent again; the others cannot be`),
    onDone: () => setChosen({}),
    loud: true,
  });
  const ids = Object.keys(chosen);
  const narrowed = status || type || time;
  return (
    <>
      <ListFrame
        filters={
          <>
            <Filter label="Status" any="Any status" value={status} onChange={(next) => narrow({ status: next })} options={statusOptions} className="w-44" />
            <EventTypeFilter value={type} onChange={(next) => narrow({ type: next })} />
            <Filter label="Time" any="Any time" value={time} onChange={(next) => narrow({ time: next })} options={timeOptions} className="w-36" />
          </>
        }
        pager={<Pager at={at} total={query.data?.total} noun={["delivery", "deliveries"]} />}
      >
        <DataTable
          label="Deliveries"
          columns={columns}
          query={query}
          rowKey={(d) => d.id}
          onOpen={(d) => void setOpened(d.id)}
          {...(can("webhooks:write") && { selection: { chosen, onChange: setChosen } })}
          empty={
            narrowed ? (
              <Empty icon={SearchX} title="No delivery matches" action={<Button variant="outline" onPress={() => narrow({ status: null, type: null, time: null })}>Clear filters</Button>} />
            ) : (
              <Empty icon={Send} title="Nothing was sent yet">Deliveries appear here the moment an event is written. Send a test to see one.</Empty>
            )
          }
        />
      </ListFrame>
      <ChosenBar count={ids.length} noun={["delivery", "deliveries"]} onClear={() => setChosen({})}>
        <Button size="sm" isPending={resend.isPending} onPress={() => resend.run({ ids })}><RotateCw aria-hidden="true" /> Resend</Button>
      </ChosenBar>
      <DeliveryPanel id={opened} onClose={() => void setOpened(null)} />
    </>
  );
}

/** The instant so long ago, to the minute, so that the list is not asked for anew with each render. */
function useSince(time: (typeof times)[number] | null): string | undefined {
  return useMemo(() => (time ? new Date(Math.floor(Date.now() / 60_000) * 60_000 - hoursOf[time] * 3_600_000).toISOString() : undefined), [time]);
}
