"use client";
import { Button } from "@heroui/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";

export const pageSize = 25;

const pageParser = parseAsInteger.withDefault(1).withOptions({ history: "push", scroll: true });

/** The page in the URL, and what to ask the list for. */
export function usePage(): { page: number; setPage(page: number | null): unknown; range: { limit: number; offset: number } } {
  const [page, setPage] = useQueryState("page", pageParser);
  const safe = Math.max(1, page);
  return { page: safe, setPage, range: { limit: pageSize, offset: (safe - 1) * pageSize } };
}

interface Props {
  page: number;
  setPage(page: number): void;
  total: number | undefined;
  /** What is counted, e.g. "subjects". */
  noun: string;
}

const format = new Intl.NumberFormat("en");

export function Pager({ page, setPage, total, noun }: Props) {
  if (total === undefined || total === 0) return null;
  const single = page === 1 && total <= pageSize;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-4 border-t px-4 py-2.5 text-[0.8125rem] text-muted sm:px-5">
      <p className="tabular-nums" aria-live="polite">
        {!single && (first > total ? "Nothing on this page of " : `${format.format(first)}–${format.format(last)} of `)}
        <span className="text-foreground">{format.format(total)}</span> {total === 1 ? noun.replace(/s$/, "") : noun}
      </p>
      <div className={single ? "hidden" : "flex gap-1.5"}>
        <Button size="sm" variant="outline" isIconOnly aria-label="Previous page" isDisabled={page <= 1} onPress={() => setPage(page - 1)}>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <Button size="sm" variant="outline" isIconOnly aria-label="Next page" isDisabled={last >= total} onPress={() => setPage(page + 1)}>
          <ChevronRight aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
}
