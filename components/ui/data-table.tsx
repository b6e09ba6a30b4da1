"use client";
import { Checkbox, Skeleton } from "@heroui/react";
import {
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
  type RowSelectionState,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import type { Chosen } from "./chosen";
import { Filter } from "./filter";
import { Failure } from "./failure";
import { Link } from "./link";
import { Tick } from "./confirm";
import type { SortState } from "./use-sort";

interface ColumnMeta {
  align?: "end";
  /**
   * The place on a phone, where each row is a card: the title, a labelled line (the default), the upper corner, or
   * omitted. The corner has room for a button, and only if rows cannot be chosen: the checkbox is there.
   */
  phone?: "title" | "line" | "corner" | "hide";
  /** Omitted on narrow screens. */
  wide?: boolean;
  className?: string;
  /** The field by which this column's header sorts. */
  sort?: string;
  /** Whether the first press sorts in descending order: for times, the newest first. */
  sortFirst?: "desc";
  /** The names of ascending and descending order on a phone; "A to Z" and "Z to A" by default. */
  sortWords?: [up: string, down: string];
}

export const tableKit = tableFeatures({ rowSelectionFeature, columnMeta: metaHelper<ColumnMeta>() });

/** Columns of a list, outside the component so that they stay the same. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<typeof tableKit, Row>();

interface Props<Row extends RowData> {
  /** What the list contains; read with the table by screen readers. */
  label: string;
  // TanStack Table's own type for columns of any values.
  // oxlint-disable-next-line typescript/no-explicit-any
  columns: ReadonlyArray<ColumnDef<typeof tableKit, Row, any>>;
  query: {
    data: { data: Row[]; total?: number } | undefined;
    error: unknown;
    isPlaceholderData: boolean;
    refetch(): unknown;
  };
  rowKey(row: Row): string;
  /** The page to which a row leads. Its title becomes the link, and the whole row its target. */
  href?(row: Row): string | undefined;
  onOpen?(row: Row): void;
  /** The choice, if rows can be chosen for an action. */
  selection?: { chosen: Chosen<Row>; onChange(chosen: Chosen<Row>): void; nameOf(row: Row): string };
  /** The order, if the list can be sorted at its headers. */
  sort?: SortState;
  empty: ReactNode;
}

const none: never[] = [];

/** A page of a list that the server has filtered and divided: a table or, on phones, cards. */
export function DataTable<Row extends RowData>({
  label,
  columns,
  query,
  rowKey,
  href,
  onOpen,
  selection,
  sort,
  empty,
}: Props<Row>) {
  const rowSelection: RowSelectionState = Object.fromEntries(
    [...(selection?.chosen.keys() ?? none)].map((key) => [key, true]),
  );
  const choose = (keys: RowSelectionState) => {
    const here = new Map(query.data?.data.map((row) => [rowKey(row), row]));
    const rows = Object.keys(keys).flatMap((key): [string, Row][] => {
      const row = here.get(key) ?? selection?.chosen.get(key);
      return row === undefined ? [] : [[key, row]];
    });
    selection?.onChange(new Map(rows));
  };
  const table = useTable({
    features: tableKit,
    columns: columns as ColumnDef<typeof tableKit, Row>[],
    data: query.data?.data ?? none,
    getRowId: rowKey,
    state: { rowSelection },
    onRowSelectionChange: (next) => choose(typeof next === "function" ? next(rowSelection) : next),
  });
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data && query.data.data.length === 0 && !query.data.total) return <>{empty}</>;
  const rows = table.getRowModel().rows;
  const all = {
    isSelected: table.getIsAllRowsSelected(),
    isIndeterminate: table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected(),
    onChange: (on: boolean) => table.toggleAllRowsSelected(on),
    // The rows of an earlier search stay until the new rows are loaded.
    isDisabled: !query.data || query.isPlaceholderData,
  };
  return (
    <div className="overflow-x-auto" aria-busy={!query.data || query.isPlaceholderData}>
      {(selection || sort) && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b px-4 py-2 text-[0.8125rem] sm:hidden">
          {selection && <Tick {...all}>All on this page</Tick>}
          {sort && (
            <SortMenu
              sort={sort}
              columns={columns.map((column) => ({ header: heading(column.header), meta: column.meta }))}
            />
          )}
        </div>
      )}
      <table role="table" aria-label={label} className="w-full border-collapse text-[0.8125rem] max-sm:block">
        <thead role="rowgroup" className="max-sm:hidden">
          {table.getHeaderGroups().map((group) => (
            <tr role="row" key={group.id} className="border-b text-left text-xs text-muted">
              {selection && (
                <th role="columnheader" scope="col" className="w-9 ps-4 sm:ps-5">
                  <Pick label="Choose all on this page" {...all} />
                </th>
              )}
              {group.headers.map((header) => (
                <th
                  role="columnheader"
                  scope="col"
                  key={header.id}
                  {...sortedness(header.column.columnDef.meta, sort)}
                  className={`h-9 px-3 font-medium whitespace-nowrap first:ps-4 last:pe-4 sm:first:ps-5 sm:last:pe-5 ${cellClass(header.column.columnDef.meta)}`}
                >
                  {header.column.columnDef.header === "" ? (
                    <span className="sr-only">Actions</span>
                  ) : sort && header.column.columnDef.meta?.sort ? (
                    <SortButton
                      field={header.column.columnDef.meta.sort}
                      isNewestFirst={header.column.columnDef.meta.sortFirst === "desc"}
                      sort={sort}
                    >
                      <table.FlexRender header={header} />
                    </SortButton>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody
          role="rowgroup"
          className={`divide-y divide-separator max-sm:block ${query.isPlaceholderData ? "opacity-60" : ""}`}
        >
          {!query.data && <SkeletonRows columns={columns.length} withChoice={selection !== undefined} />}
          {rows.map((row) => (
            <tr
              role="row"
              key={row.id}
              className={`relative max-sm:block max-sm:px-4 max-sm:py-3 ${href || onOpen ? "hover:bg-surface-secondary" : ""}`}
            >
              {selection && (
                <td
                  role="cell"
                  className="w-9 ps-4 max-sm:absolute max-sm:top-5.5 max-sm:right-4 max-sm:w-auto max-sm:ps-0 sm:ps-5"
                >
                  <Pick
                    label={`Choose ${selection.nameOf(row.original)}`}
                    isSelected={row.getIsSelected()}
                    onChange={(on) => row.toggleSelected(on)}
                  />
                </td>
              )}
              {row.getAllCells().map((cell) => {
                const meta = cell.column.columnDef.meta;
                const content = <table.FlexRender cell={cell} />;
                return (
                  <td
                    role="cell"
                    key={cell.id}
                    data-label={heading(cell.column.columnDef.header)}
                    className={`h-11 px-3 py-2 first:ps-4 last:pe-4 sm:first:ps-5 sm:last:pe-5 ${cellClass(meta)} ${phoneLook(meta)}`}
                  >
                    {meta?.phone === "title" ? (
                      <Opens href={href?.(row.original)} onOpen={onOpen && (() => onOpen(row.original))}>
                        {content}
                      </Opens>
                    ) : (
                      content
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sortedness(meta: ColumnMeta | undefined, sort: SortState | undefined) {
  if (!sort || !meta?.sort) return {};
  return {
    "aria-sort": sort.by === meta.sort ? "ascending" : sort.by === `-${meta.sort}` ? "descending" : "none",
  } as const;
}

/** Sorts by its column. A second press reverses the order, a third restores the list's default order. */
function SortButton({
  field,
  isNewestFirst,
  sort,
  children,
}: {
  field: string;
  isNewestFirst: boolean;
  sort: SortState;
  children: ReactNode;
}) {
  const [first, second] = isNewestFirst ? [`-${field}`, field] : [field, `-${field}`];
  const next = sort.by === first ? second : sort.by === second ? null : first;
  const Icon = sort.by === field ? ArrowUp : sort.by === `-${field}` ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={() => sort.onChange(next)}
      className="-mx-1.5 inline-flex min-h-6 cursor-pointer items-center gap-1 rounded-md px-1.5 outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-focus"
    >
      {children}
      <Icon className={`size-3 ${sort.by?.endsWith(field) ? "text-foreground" : "opacity-50"}`} aria-hidden="true" />
    </button>
  );
}

/** The orders that the headers offer, in words, for a phone, which shows no headers. */
function SortMenu({
  sort,
  columns,
}: {
  sort: SortState;
  columns: { header: string | undefined; meta: ColumnMeta | undefined }[];
}) {
  const options = columns.flatMap(({ header, meta }) => {
    if (!meta?.sort) return [];
    const [up, down] = meta.sortWords ?? ["A to Z", "Z to A"];
    const both = [
      { value: meta.sort, label: `${header}, ${up}` },
      { value: `-${meta.sort}`, label: `${header}, ${down}` },
    ];
    return meta.sortFirst === "desc" ? both.reverse() : both;
  });
  return (
    <Filter<string>
      label="Sort"
      any="Newest first"
      value={sort.by}
      onChange={sort.onChange}
      options={options}
      className="ms-auto min-w-40! max-w-56"
    />
  );
}

function Pick({
  label,
  ...state
}: {
  label: string;
  isSelected: boolean;
  isIndeterminate?: boolean;
  isDisabled?: boolean;
  onChange(on: boolean): void;
}) {
  return (
    <Checkbox {...state} aria-label={label} className="relative z-10">
      {/* The box is small, so the surrounding area takes the press. */}
      <Checkbox.Content className="-m-2 p-2">
        <Checkbox.Control>
          <Checkbox.Indicator />
        </Checkbox.Control>
      </Checkbox.Content>
    </Checkbox>
  );
}

/** The title of a row. Its link covers the whole row. */
function Opens({ href, onOpen, children }: { href?: string; onOpen?: () => void; children: ReactNode }) {
  const look =
    "text-left font-medium wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:ring-2 focus-visible:after:ring-focus focus-visible:after:ring-inset";
  if (href)
    return (
      <Link href={href} className={look}>
        {children}
      </Link>
    );
  if (onOpen)
    return (
      <button type="button" onClick={onOpen} className={`${look} cursor-pointer`}>
        {children}
      </button>
    );
  return <span className="font-medium wrap-anywhere">{children}</span>;
}

function SkeletonRows({ columns, withChoice }: { columns: number; withChoice: boolean }) {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={row} aria-hidden="true" className="max-sm:block max-sm:px-4 max-sm:py-3">
      {withChoice && <td className="max-sm:hidden" />}
      {Array.from({ length: columns }, (_, column) => (
        <td
          key={column}
          className="h-11 px-3 first:ps-4 last:pe-4 max-sm:block max-sm:h-6 max-sm:px-0! sm:first:ps-5 sm:last:pe-5"
        >
          <Skeleton className="h-3.5 rounded-md" style={{ width: `${40 + ((row * 31 + column * 47) % 45)}%` }} />
        </td>
      ))}
    </tr>
  ));
}

const heading = (header: unknown) => (typeof header === "string" ? header : undefined);

function cellClass(meta: ColumnMeta | undefined): string {
  return `${meta?.align === "end" ? "sm:text-right" : ""} ${meta?.wide ? "max-lg:sm:hidden" : ""} ${meta?.className ?? ""}`;
}

function phoneLook(meta: ColumnMeta | undefined): string {
  if (meta?.phone === "hide") return "max-sm:hidden";
  if (meta?.phone === "corner") return "max-sm:absolute max-sm:top-2 max-sm:right-3 max-sm:h-auto max-sm:p-0!";
  if (meta?.phone === "title") return "max-sm:block max-sm:h-auto max-sm:ps-0! max-sm:pe-8! max-sm:pb-1 max-sm:text-sm";
  return "max-sm:flex max-sm:h-auto max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:px-0! max-sm:py-0.5 max-sm:before:shrink-0 max-sm:before:text-xs max-sm:before:text-muted max-sm:before:content-[attr(data-label)]";
}
