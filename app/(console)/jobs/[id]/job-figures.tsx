"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Time, useNow } from "@/components/ui/time";
import { JobProgress } from "../job-progress";
import { isUnderWay, jobWords, type BulkJob } from "../words";

const format = new Intl.NumberFormat("en");

/** The progress of a job, as one bar and its numbers. */
export function JobFigures({ job }: { job: BulkJob }) {
  const { done, already } = jobWords[job.action];
  const unchanged = useUnchanged(job);
  const left = job.total - job.processed;
  return (
    <section aria-label="Progress" className="mb-5 overflow-hidden rounded-xl border bg-surface shadow-surface">
      <div className="px-4 pt-4 pb-3.5 sm:px-5">
        <p className="mb-2 flex items-baseline justify-between gap-4 text-[0.8125rem]">
          <span className="font-medium tabular-nums">
            {format.format(job.processed)} of {format.format(job.total)} rows
          </span>
          <span className="text-muted tabular-nums">{percent(job)}</span>
        </p>
        <JobProgress job={job} thick />
      </div>
      <dl className="grid grid-cols-2 gap-px border-t bg-separator sm:grid-cols-4">
        <Figure name={done} remark={unchanged > 0 && `and ${format.format(unchanged)} ${already.toLowerCase()}`}>
          {format.format(job.succeeded - unchanged)}
        </Figure>
        <Figure name="Refused" tone={job.failed > 0 ? "text-danger-soft-foreground" : ""}>
          {format.format(job.failed)}
        </Figure>
        <Figure name={isUnderWay(job) ? "Left" : "Not worked on"}>{format.format(left)}</Figure>
        <Figure name={isUnderWay(job) ? "Running for" : "Took"}>
          <Duration job={job} />
        </Figure>
      </dl>
      <p className="border-t px-4 py-2 text-xs text-muted sm:px-5">
        Sent <Time at={job.createdAt} as="exact" />
        {job.finishedAt && (
          <>
            {" "}
            · {job.status === "cancelled" || job.status === "stopped" ? job.status : "finished"}{" "}
            <Time at={job.finishedAt} as="exact" />
          </>
        )}
      </p>
    </section>
  );
}

/** The number of rows that needed no change; counted when the job has ended. */
function useUnchanged(job: BulkJob): number {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.bulk.rows.queryOptions({ id: job.id, changed: "false", limit: 1, offset: 0 }, { enabled: !isUnderWay(job) }),
  );
  return data?.total ?? 0;
}

function Figure({
  name,
  tone = "",
  remark,
  children,
}: {
  name: string;
  tone?: string;
  remark?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="bg-surface px-4 py-3 sm:px-5">
      <dt className="truncate text-xs text-muted">{name}</dt>
      <dd className={`mt-0.5 text-lg leading-6 font-semibold tabular-nums ${tone}`}>
        {children}
        {remark && <span className="block text-xs leading-4 font-normal text-muted">{remark}</span>}
      </dd>
    </div>
  );
}

/** Never rounded up to 100 %. */
function percent({ processed, total }: BulkJob): string {
  return total === 0 ? "" : `${Math.floor((processed / total) * 100)} %`;
}

function Duration({ job }: { job: BulkJob }) {
  const now = useNow(1);
  if (!job.startedAt) return <>–</>;
  const seconds = Math.max(
    0,
    Math.round(((job.finishedAt ? Date.parse(job.finishedAt) : now) - Date.parse(job.startedAt)) / 1000),
  );
  if (seconds < 1) return <>under 1 s</>;
  return <>{seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`}</>;
}
