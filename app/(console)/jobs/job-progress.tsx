import type { BulkJob } from "./words";

const format = new Intl.NumberFormat("en");

/** The progress bar of a job: the share of rows that succeeded, then the share that failed. */
export function JobProgress({ job, thick = false }: { job: BulkJob; thick?: boolean }) {
  const share = (n: number) => `${job.total === 0 ? 0 : (n / job.total) * 100}%`;
  return (
    <div
      role="progressbar"
      aria-label="Rows worked on"
      aria-valuemin={0}
      aria-valuemax={job.total}
      aria-valuenow={job.processed}
      aria-valuetext={`${format.format(job.processed)} of ${format.format(job.total)} rows, ${format.format(job.failed)} refused`}
      className={`flex w-full overflow-hidden rounded-full bg-default ${thick ? "h-2" : "h-1.5"}`}
    >
      <span
        className="bg-accent transition-[width] duration-500 motion-reduce:transition-none"
        style={{ width: share(job.succeeded) }}
      />
      <span
        className="bg-danger transition-[width] duration-500 motion-reduce:transition-none"
        style={{ width: share(job.failed) }}
      />
    </div>
  );
}
