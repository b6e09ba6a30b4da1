import { Time } from "@/components/ui/time";
import type { PhotoImportView } from "@/server/photos/view";
import { ImportProgress } from "../import-progress";
import { isUnderWay } from "../words";

const format = new Intl.NumberFormat("en");

/** The progress of an import, as one bar and its numbers. */
export function ImportFigures({ found }: { found: PhotoImportView }) {
  const { total, processed, written, unchanged, rejected, ignored } = found.counts;
  return (
    <section aria-label="Progress" className="mb-5 overflow-hidden rounded-xl border bg-surface shadow-surface">
      <div className="px-4 pt-4 pb-3.5 sm:px-5">
        <p className="mb-2 flex items-baseline justify-between gap-4 text-[0.8125rem]">
          <span className="font-medium tabular-nums">
            {format.format(processed)} of {format.format(total)} photos
          </span>
          <span className="text-muted tabular-nums">{Math.floor((processed / Math.max(1, total)) * 100)} %</span>
        </p>
        <ImportProgress counts={found.counts} thick />
      </div>
      <dl className="grid grid-cols-2 gap-px border-t bg-separator sm:grid-cols-4">
        <Figure name="New photos" value={written} />
        <Figure name="Set already" value={unchanged} />
        <Figure name="Rejected" value={rejected} tone={rejected > 0 ? "text-danger-soft-foreground" : ""} />
        <Figure name={isUnderWay(found) ? "Left" : "Not worked on"} value={total - processed} />
      </dl>
      <p className="border-t px-4 py-2 text-xs text-muted sm:px-5">
        Uploaded <Time at={found.createdAt} as="exact" />
        {found.finishedAt && (
          <>
            {" "}
            · {found.status === "completed" ? "finished" : found.status} <Time at={found.finishedAt} as="exact" />
          </>
        )}
        {ignored > 0 && (
          <>
            {" "}
            · {format.format(ignored)} {ignored === 1 ? "file" : "files"} of the operating system passed over
          </>
        )}
      </p>
    </section>
  );
}

function Figure({ name, value, tone = "" }: { name: string; value: number; tone?: string }) {
  return (
    <div className="bg-surface px-4 py-3 sm:px-5">
      <dt className="truncate text-xs text-muted">{name}</dt>
      <dd className={`mt-0.5 text-lg leading-6 font-semibold tabular-nums ${tone}`}>{format.format(value)}</dd>
    </div>
  );
}
