"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Webhook } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { Pager, usePage } from "@/components/ui/pager";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { EndpointStatistics } from "@/server/webhooks/endpoints/statistics";
import type { EndpointView } from "@/server/webhooks/endpoints/view";
import { errorWords } from "../_parts/error-words";
import { duration, percent } from "../_parts/figures";
import { Sparkline } from "../_parts/sparkline";
import { subscriptionWords } from "../_parts/subscription-words";
import { useRegisterButton } from "./webhooks-frame";

type Row = EndpointView & { statistics: EndpointStatistics | undefined };

const column = columnsOf<Row>();
const columns = column.columns([
  column.accessor("url", {
    header: "Endpoint",
    meta: { phone: "title" },
    cell: ({ row: { original: e } }) => (
      <span className="block max-w-72">
        <span className="block truncate">{e.description || e.url}</span>
        {e.description && <span className="block truncate text-xs font-normal text-muted">{e.url}</span>}
      </span>
    ),
  }),
  column.accessor("eventTypes", {
    header: "Events",
    meta: { wide: true },
    cell: ({ getValue }) => (
      <span className="block text-muted sm:max-w-36 sm:truncate xl:max-w-48" title={getValue().join("\n")}>
        {subscriptionWords(getValue())}
      </span>
    ),
  }),
  column.accessor("status", {
    header: "Status",
    cell: ({ row: { original: e } }) => <Status of={e.failingSince && e.status === "active" ? "failing" : e.status} />,
  }),
  column.display({
    id: "activity",
    header: "24 hours",
    meta: { wide: true, phone: "hide" },
    cell: ({ row: { original: e } }) => <Sparkline hours={e.statistics?.hours} />,
  }),
  column.display({
    id: "rate",
    header: "Accepted",
    meta: { align: "end" },
    cell: ({ row: { original: e } }) => <Rate statistics={e.statistics} />,
  }),
  column.display({
    id: "p95",
    header: "p95",
    meta: { align: "end", wide: true },
    cell: ({ row: { original: e } }) => (
      <span className="whitespace-nowrap text-muted tabular-nums">
        {e.statistics?.last24Hours.p95Ms == null ? "–" : duration(e.statistics.last24Hours.p95Ms)}
      </span>
    ),
  }),
  column.accessor("lastFailureAt", {
    header: "Last failure",
    meta: { align: "end" },
    cell: ({ row: { original: e } }) => <LastFailure endpoint={e} />,
  }),
]);

const statuses = [
  { value: "active", label: "Active" },
  { value: "paused", label: "Paused" },
  { value: "disabled", label: "Disabled" },
] as const;

export function EndpointList() {
  const trpc = useTRPC();
  const [status, setStatus] = useQueryState("status", parseAsStringLiteral(["active", "paused", "disabled"]));
  const at = usePage();
  const asked = { ...at.range, ...(status && { status }) };
  const query = useQuery(
    trpc.webhooks.endpoints.list.queryOptions(asked, { placeholderData: keepPreviousData, refetchInterval: 15_000 }),
  );
  const statistics = useQuery(trpc.webhooks.endpoints.statisticsOfAll.queryOptions(asked, { refetchInterval: 15_000 }));
  const rows = useMemo(() => {
    const byId = new Map(statistics.data?.data.map((each) => [each.endpointId, each]));
    return query.data && { data: query.data.data.map((e): Row => ({ ...e, statistics: byId.get(e.id) })) };
  }, [query.data, statistics.data]);
  const register = useRegisterButton();
  return (
    <ListFrame
      filters={
        <Filter
          label="Status"
          any="Any status"
          value={status}
          onChange={(next) => {
            void setStatus(next);
            void at.setPage(null);
          }}
          options={statuses}
          className="w-36"
        />
      }
      pager={
        <Pager
          at={at}
          total={query.data?.total}
          isPlaceholder={query.isPlaceholderData}
          noun={["endpoint", "endpoints"]}
        />
      }
    >
      <DataTable
        label="Webhook endpoints"
        columns={columns}
        query={{ ...query, data: rows }}
        rowKey={(e) => e.id}
        href={(e) => `/webhooks/${e.id}`}
        empty={
          status ? (
            <Empty
              icon={Webhook}
              title={`No endpoint is ${status}`}
              action={
                <Button variant="outline" onPress={() => void setStatus(null)}>
                  Show all
                </Button>
              }
            />
          ) : (
            <Empty icon={Webhook} title="No endpoints yet" action={register}>
              Register the address of your listener. It gets <code className="font-mono text-xs">credential.*</code> and
              whatever else you choose, within milliseconds of the change.
            </Empty>
          )
        }
      />
    </ListFrame>
  );
}

function LastFailure({ endpoint: { lastFailureAt, lastFailureClass } }: { endpoint: EndpointView }) {
  return (
    <span className="whitespace-nowrap text-muted max-sm:text-right">
      <Time at={lastFailureAt} absent="None" />
      {lastFailureClass && <span className="block text-xs max-lg:sm:hidden">{errorWords[lastFailureClass].title}</span>}
    </span>
  );
}

function Rate({ statistics }: { statistics: EndpointStatistics | undefined }) {
  const rate = statistics?.last24Hours.successRate;
  if (rate == null) return <span className="text-muted">–</span>;
  const tone =
    rate >= 0.99
      ? "text-success-soft-foreground"
      : rate >= 0.9
        ? "text-warning-soft-foreground"
        : "text-danger-soft-foreground";
  return <span className={`font-medium whitespace-nowrap tabular-nums ${tone}`}>{percent(rate)}</span>;
}
