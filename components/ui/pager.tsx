"use client";
import { Button } from "@heroui/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";
import { useEffect } from "react";

const pageParser = parseAsInteger.withDefault(1).withOptions({ history: "push", scroll: true });

export interface PageState {
  page: number;
  size: number;
  setPage(page: number | null, options?: { history: "replace" }): unknown;
  /** The parameters for the request of the list. */
  range: { limit: number; offset: number };
}

/** The page of a list, kept in the URL under `name`, which distinguishes several lists of one screen. */
export function usePage(size = 25, name = "page"): PageState {
  const [asked, setPage] = useQueryState(name, pageParser);
  const page = Math.max(1, asked);
  return { page, size, setPage, range: { limit: size, offset: (page - 1) * size } };
}

interface Props {
  at: PageState;
  total: number | undefined;
  /** The total belongs to an earlier search, until the new one is loaded. */
  isPlaceholder: boolean;
  /** The counted noun in singular and plural. */
  noun: [string, string];
  /** Distinguishes several pagers on one screen. */
  label?: string;
}

const format = new Intl.NumberFormat("en");

/**
 * Turns the pages. If the present page is past the end, for example after the rows of the last page were deleted, it
 * goes to the last page.
 */
export function Pager({
  at: { page, size, setPage },
  total,
  isPlaceholder,
  noun: [one, many],
  label = "Pages",
}: Props) {
  const lastPage = total === undefined || isPlaceholder ? null : Math.max(1, Math.ceil(total / size));
  const isBehindEnd = lastPage !== null && page > lastPage;
  useEffect(() => {
    if (isBehindEnd) void setPage(lastPage === 1 ? null : lastPage, { history: "replace" });
  }, [isBehindEnd, lastPage, setPage]);
  if (total === undefined || total === 0 || isBehindEnd) return null;
  const first = (page - 1) * size + 1;
  const last = Math.min(page * size, total);
  const single = page === 1 && total <= size;
  return (
    <nav
      aria-label={label}
      className="flex items-center justify-between gap-4 border-t px-4 py-2.5 text-[0.8125rem] text-muted sm:px-5"
    >
      <p className="tabular-nums" aria-live="polite">
        {!single && `${format.format(first)}–${format.format(last)} of `}
        <span className="text-foreground">{format.format(total)}</span> {total === 1 ? one : many}
      </p>
      {!single && (
        <div className="flex gap-1.5">
          <Button
            size="sm"
            variant="outline"
            isIconOnly
            aria-label="Previous page"
            isDisabled={page <= 1}
            onPress={() => setPage(page - 1)}
          >
            <ChevronLeft aria-hidden="true" />
          </Button>
          <Button
            size="sm"
            variant="outline"
            isIconOnly
            aria-label="Next page"
            isDisabled={last >= total}
            onPress={() => setPage(page + 1)}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
      )}
    </nav>
  );
}
