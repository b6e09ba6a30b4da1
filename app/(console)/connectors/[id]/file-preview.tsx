"use client";
import { Button } from "@heroui/react";
import { Choice } from "@/components/ui/choice";
import { Notice } from "@/components/ui/notice";
import type { RouterOutputs } from "@/server/trpc/root";
import { count, people } from "../words";

export type Preview = RouterOutputs["connectors"]["preview"];
type Row = Preview["data"][number];

const actionLabels: Record<Row["action"], string> = {
  create: "New",
  update: "Changed",
  none: "Unchanged",
  deactivate: "Deactivated",
  reject: "Rejected",
};

const fieldLabels: Record<string, string> = { displayName: "Name", email: "E-mail", status: "Status" };

/** The results that change a person. */
export const everyChange: Row["action"][] = ["create", "update", "deactivate", "reject"];

/** The results to list. */
export type Shown = "all" | Row["action"];

const shownOptions: { value: Shown; label: string }[] = [
  { value: "all", label: "Everything that changes" },
  ...everyChange.map((action) => ({ value: action, label: actionLabels[action] })),
];

interface Props {
  told: Preview;
  shown: Shown;
  isPending: boolean;
  onShow(next: Shown): void;
  onMore(cursor: string): void;
}

/** Shows what a file would do: counts of people, and each change of a person. */
export function FilePreview({ told, shown, isPending, onShow, onMore }: Props) {
  const { counts, hold, errorSummary, data, nextCursor } = told;
  if (errorSummary)
    return (
      <Notice tone="danger" title="This file would change nobody">
        <p>
          {errorSummary.line !== null && `Line ${count(errorSummary.line)}: `}
          {errorSummary.message}
        </p>
      </Notice>
    );
  const figures: [string, number][] = [
    ["New", counts.created],
    ["Changed", counts.updated],
    ["Unchanged", counts.unchanged],
    ["Deactivated", counts.deactivated + counts.held - (hold?.memberships ?? 0)],
    ["Rejected", counts.rejected],
  ];
  return (
    <section aria-label="What this file would do" className="space-y-3">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-lg border px-3 py-2 text-[0.8125rem] sm:grid-cols-5">
        {figures.map(([label, n]) => (
          <div key={label} className="flex justify-between gap-2 sm:block">
            <dt className="text-muted">{label}</dt>
            <dd className="font-medium tabular-nums">{count(n)}</dd>
          </div>
        ))}
      </dl>
      {hold && (
        <Notice
          tone="warning"
          title={
            hold.reason === "lost_values"
              ? "The file would wait for approval"
              : hold.memberships > 0
                ? `${count(counts.held)} removals would wait for approval`
                : `Deactivating ${people(counts.held)} would wait for approval`
          }
        >
          <p>{hold.message}</p>
        </Notice>
      )}
      <Choice label="Show" value={shown} onChange={onShow} options={shownOptions} className="max-w-sm" />
      {data.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">
          {shown === "all" ? "Everybody in this file is here already, as the file says." : "There is none."}
        </p>
      ) : (
        <ul
          aria-label="Changes"
          tabIndex={0}
          className="max-h-80 divide-y divide-separator overflow-y-auto rounded-lg border"
        >
          {data.map((row, i) => (
            <PreviewedRow key={`${row.line} ${row.externalId} ${i}`} row={row} />
          ))}
        </ul>
      )}
      {nextCursor && (
        <Button variant="outline" size="sm" isPending={isPending} onPress={() => onMore(nextCursor)}>
          Show more
        </Button>
      )}
    </section>
  );
}

function PreviewedRow({ row }: { row: Row }) {
  const { line, externalId, displayName, action, changes, ownedElsewhere, errors } = row;
  return (
    <li className="space-y-1 px-3 py-2 text-[0.8125rem]">
      <p className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
        <span className={action === "reject" || action === "deactivate" ? "font-medium text-danger" : "font-medium"}>
          {actionLabels[action]}
        </span>
        {displayName && <bdi>{displayName}</bdi>}
        {externalId !== null && <code className="font-mono text-xs text-muted">{externalId}</code>}
        <span className="text-xs text-muted">{line === null ? "not in the file" : `line ${count(line)}`}</span>
      </p>
      {errors.map((error, i) => (
        <p key={i} className="text-xs wrap-anywhere">
          {error.column !== null && (
            <>
              <bdi>{error.column}</bdi>:{" "}
            </>
          )}
          {error.message}
        </p>
      ))}
      {action === "update" && (
        <dl className="space-y-0.5 text-xs">
          {changes.map(({ field, from, to }) => (
            <div key={field} className="flex flex-wrap gap-x-1 wrap-anywhere">
              <dt className="text-muted">
                <bdi>{fieldLabels[field] ?? field.replace(/^attributes\./, "")}</bdi>:
              </dt>
              <dd>
                <bdi>{shown(from)}</bdi> → <bdi>{shown(to)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {ownedElsewhere.length > 0 && (
        <p className="text-xs text-muted">
          Another connector writes {ownedElsewhere.map((field) => fieldLabels[field] ?? field).join(", ")}.
        </p>
      )}
    </li>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}
