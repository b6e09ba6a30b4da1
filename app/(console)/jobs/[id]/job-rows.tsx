"use client";
import { Skeleton } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import { DownloadButton } from "@/components/console/download-button";
import { streamed, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list-frame";
import { Pager, usePage } from "@/components/ui/pager";
import { Status } from "@/components/ui/status";
import type { RowError } from "@/server/credentials/bulk-rows";
import type { RouterOutputs } from "@/server/trpc/root";
import { usePeople, type PersonName } from "../../_data/names";
import { refusalText } from "../../credentials/refusals";
import { isUnderWay, jobWords, type BulkJob } from "../words";

type BulkRow = Omit<RouterOutputs["bulk"]["rows"]["data"][number], "error"> & {
  error: RowError | undefined;
  holder: PersonName | undefined;
};

const results = ["succeeded", "already", "failed"] as const;
const rowsOf = {
  succeeded: { ok: "true", changed: "true" },
  already: { changed: "false" },
  failed: { ok: "false" },
} as const;

/** Lists the result of each row, in the order in which the rows were sent. */
export function JobRows({ job }: { job: BulkJob }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [result, setResult] = useQueryState("result", parseAsStringLiteral(results));
  const at = usePage(50);
  const query = useQuery(
    trpc.bulk.rows.queryOptions(
      { id: job.id, ...at.range, ...(result && rowsOf[result]) },
      { placeholderData: keepPreviousData, refetchInterval: isUnderWay(job) ? 3_000 : false },
    ),
  );
  const rows = useNamed(query.data);
  const columns = useMemo(() => columnsOfJob(job.action, job.status), [job.action, job.status]);
  const { done, already } = jobWords[job.action];
  return (
    <ListFrame
      filters={
        <>
          <Filter
            label="Result"
            any="All rows"
            value={result}
            onChange={(next) => {
              void setResult(next);
              void at.setPage(null);
            }}
            options={[
              { value: "succeeded", label: done },
              { value: "already", label: already },
              { value: "failed", label: "Refused" },
            ]}
            className="w-44"
          />
          <span className="ms-auto flex flex-wrap justify-end gap-2">
            {job.failed > 0 && result !== "failed" && (
              <DownloadButton
                name={`${job.id}-failed`}
                label="Download refused rows"
                open={() => client.bulk.exportRows.query({ id: job.id, ...rowsOf.failed }, streamed)}
              />
            )}
            <DownloadButton
              name={`${job.id}${result ? `-${result}` : ""}`}
              label={result === "failed" ? "Download refused rows" : "Download CSV"}
              open={() => client.bulk.exportRows.query({ id: job.id, ...(result && rowsOf[result]) }, streamed)}
            />
          </span>
        </>
      }
      pager={<Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["row", "rows"]} />}
    >
      <DataTable
        label="Rows"
        columns={columns}
        query={{ ...query, data: rows }}
        rowKey={(row) => String(row.index)}
        empty={
          <Empty
            icon={ListChecks}
            title={result === "failed" ? "No row was refused" : result ? "No such row" : "No rows"}
          >
            {isUnderWay(job) && "It is still under way."}
          </Empty>
        }
      />
    </ListFrame>
  );
}

const column = columnsOf<BulkRow>();

function columnsOfJob(action: BulkJob["action"], status: BulkJob["status"]) {
  return column.columns([
    column.accessor("index", {
      header: "Row",
      meta: { phone: "title", className: "sm:w-16" },
      cell: ({ getValue }) => (
        <span className="text-muted tabular-nums sm:font-normal">
          <span className="sm:hidden">Row </span>
          {getValue() + 1}
        </span>
      ),
    }),
    column.accessor("ok", {
      header: "Result",
      meta: { className: "sm:w-32" },
      cell: ({ row: { original: row } }) => (
        <Result row={row} action={action} isOver={status === "cancelled" || status === "stopped"} />
      ),
    }),
    column.display({
      id: "about",
      header: "Credential",
      cell: ({ row: { original: row } }) => (row.error ? <Refusal row={row} error={row.error} /> : <Held row={row} />),
    }),
  ]);
}

function Result({
  row: { ok, changed },
  action,
  isOver,
}: {
  row: BulkRow;
  action: BulkJob["action"];
  isOver: boolean;
}) {
  if (ok === null) return isOver ? <Status of="cancelled" label="Not done" /> : <Status of="queued" label="Waiting" />;
  if (!ok) return <Status of="failed" label="Refused" />;
  return changed === false ? (
    <Status of="cancelled" label={jobWords[action].already} />
  ) : (
    <Status of="succeeded" label={jobWords[action].done} />
  );
}

function Held({ row }: { row: BulkRow }) {
  const { credential, holder, nameConfirmationId } = row;
  if (!credential && nameConfirmationId)
    return (
      <span className="inline-flex flex-wrap items-baseline gap-x-3">
        <Asked row={row} />
        <Link href="/credentials/names" className="text-[0.8125rem] text-muted hover:underline">
          Asked to confirm the name
        </Link>
      </span>
    );
  if (!credential) return <span className="text-muted">–</span>;
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-3">
      <Link href={`/credentials/${credential.id}`} className="font-medium hover:underline">
        {holder !== undefined ? (
          <bdi>{holder.name}</bdi>
        ) : (
          <Skeleton className="inline-block h-3.5 w-28 rounded-md align-middle" />
        )}
      </Link>
      {holder?.externalId && <code className="font-mono text-xs break-all text-muted">{holder.externalId}</code>}
      <code className="font-mono text-xs whitespace-nowrap text-muted">{credential.code}</code>
    </span>
  );
}

function Refusal({ row, error }: { row: BulkRow; error: RowError }) {
  return (
    <span className="block max-w-2xl text-pretty max-sm:text-right">
      {row.credential ? (
        <span className="block">
          <Held row={row} />
        </span>
      ) : (
        <Asked row={row} />
      )}
      {refusalText(error)} <code className="font-mono text-xs text-muted">{error.code}</code>
    </span>
  );
}

/** The person that a row names if it is not about a credential. */
function Asked({ row: { subjectId, externalId, holder } }: { row: BulkRow }) {
  if (subjectId !== undefined)
    return (
      <Link href={`/subjects/${encodeURIComponent(subjectId)}`} className="block font-medium hover:underline">
        <bdi>{holder?.name ?? subjectId}</bdi>{" "}
        {holder?.externalId && <code className="font-mono text-xs font-normal text-muted">{holder.externalId}</code>}
      </Link>
    );
  return externalId === undefined ? null : <code className="block font-mono text-xs break-all">{externalId}</code>;
}

const subjectOf = (row: RouterOutputs["bulk"]["rows"]["data"][number]) => row.credential?.subjectId ?? row.subjectId;

/** The page's rows with the names of their holders. */
function useNamed(found: RouterOutputs["bulk"]["rows"] | undefined) {
  const ids = useMemo(() => found?.data.flatMap((row) => subjectOf(row) ?? []) ?? [], [found]);
  const personOf = usePeople(ids);
  return (
    found && {
      ...found,
      data: found.data.map(
        (row): BulkRow => ({
          ...row,
          error: row.error as RowError | undefined,
          holder: personOf(subjectOf(row) ?? ""),
        }),
      ),
    }
  );
}
