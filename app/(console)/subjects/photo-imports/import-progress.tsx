import type { PhotoImportView } from "@/server/photos/view";

const format = new Intl.NumberFormat("en");

/** The progress bar of an import: the share of files that are now photos, then the share that was rejected. */
export function ImportProgress({ counts, thick = false }: Pick<PhotoImportView, "counts"> & { thick?: boolean }) {
  const { total, processed, rejected } = counts;
  const share = (n: number) => `${(n / Math.max(1, total)) * 100}%`;
  return (
    <div
      role="progressbar"
      aria-label="Photos done"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={processed}
      aria-valuetext={`${format.format(processed)} of ${format.format(total)} photos, ${format.format(rejected)} rejected`}
      className={`flex w-full overflow-hidden rounded-full bg-default ${thick ? "h-2" : "h-1.5"}`}
    >
      <span
        className="bg-accent transition-[width] duration-500 motion-reduce:transition-none"
        style={{ width: share(processed - rejected) }}
      />
      <span
        className="bg-danger transition-[width] duration-500 motion-reduce:transition-none"
        style={{ width: share(rejected) }}
      />
    </div>
  );
}
