"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SearchX, ShieldCheck } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Time } from "@/components/ui/time";
import { AuditTabs } from "../audit-tabs";
import { inWords, typeWords, type SecurityEvent } from "./words";

const types = Object.keys(typeWords) as (keyof typeof typeWords)[];
const format = new Intl.NumberFormat("en");

const column = columnsOf<SecurityEvent>();
const columns = column.columns([
  column.display({
    id: "what",
    header: "What",
    meta: { phone: "title" },
    cell: ({ row: { original } }) => inWords(original),
  }),
  column.accessor("target", { header: "Who or what", cell: ({ getValue }) => <Target target={getValue()} /> }),
  column.accessor("address", {
    header: "From",
    cell: ({
      getValue,
      row: {
        original: { addresses },
      },
    }) =>
      getValue() ? (
        <code className="font-mono text-xs">{getValue()}</code>
      ) : (
        <span className="text-muted">
          {getValue() === ""
            ? "This service"
            : addresses === null
              ? "Many addresses"
              : addresses === 1
                ? "One more address"
                : `About ${format.format(addresses)} more addresses`}
        </span>
      ),
  }),
  column.accessor("count", {
    header: "Times",
    meta: { align: "end", className: "sm:w-24" },
    cell: ({ getValue, row: { original } }) => (
      <span className="tabular-nums">
        {original.address === null && "and "}
        {format.format(getValue())}
        {original.address === null && " more"}
      </span>
    ),
  }),
  column.accessor("lastAt", {
    header: "Last",
    meta: { align: "end" },
    cell: ({ row: { original } }) => (
      <span className="text-muted" title={`Request ${original.requestId}`}>
        <Time at={original.lastAt} as="exact" />
      </span>
    ),
  }),
]);

/** Failed sign-ins and refused requests, newest first. */
export function SecurityLog() {
  const trpc = useTRPC();
  const [type, setType] = useQueryState("type", parseAsStringLiteral(types));
  const at = usePage(50);
  const narrow = (next: typeof type) => {
    void setType(next);
    void at.setPage(null);
  };
  const query = useQuery(
    trpc.organisation.security.queryOptions(
      { ...at.range, ...(type && { type }) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Attempts to sign in and to do more than allowed. The same from one address within an hour is one line, and so is what exceeds 100 lines of a kind in an hour. Kept for a limited time, since it holds addresses."
      />
      <AuditTabs />
      <ListFrame
        filters={
          <Filter
            label="Kind"
            any="Every kind"
            value={type}
            onChange={narrow}
            options={types.map((value) => ({ value, label: typeWords[value] }))}
            className="w-full sm:w-60"
          />
        }
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["line", "lines"]} />
        }
      >
        <DataTable
          label="Security events"
          columns={columns}
          query={query}
          rowKey={(event) => event.id}
          empty={
            type ? (
              <Empty
                icon={SearchX}
                title="Nothing of this kind"
                action={
                  <Button variant="outline" onPress={() => narrow(null)}>
                    Show every kind
                  </Button>
                }
              >
                Nothing of this kind was recorded lately.
              </Empty>
            ) : (
              <Empty icon={ShieldCheck} title="Nothing suspicious">
                Failed sign-ins, refused permissions and links that do not work appear here.
              </Empty>
            )
          }
        />
      </ListFrame>
    </>
  );
}

const kinds: Record<string, string> = {
  user: "Member",
  api_key: "API key",
  oauth_client: "OAuth client",
  invitation: "Link",
  connector: "Connector",
};

function Target({ target }: { target: SecurityEvent["target"] }) {
  if (!target) return <span className="text-muted">–</span>;
  return (
    <span className="flex min-w-0 items-baseline gap-2 max-sm:justify-end">
      <span className="shrink-0 max-sm:hidden">{kinds[target.type] ?? target.type}</span>
      {target.name ? (
        <bdi className="truncate text-muted sm:max-w-56">{target.name}</bdi>
      ) : (
        <code className="truncate font-mono text-xs text-muted sm:max-w-40" title={target.id}>
          {target.id}
        </code>
      )}
    </span>
  );
}
