"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { ActorName } from "../../../../_data/actor-name";
import { useActors } from "../../../../_data/names";
import { useSession } from "../../../../_shell/session";
import {
  count,
  isPartlyApplied,
  isStoppedMidway,
  isUnapplied,
  isUnderWay,
  progressOf,
  statusOf,
  stoppedAfter,
  waitsWhole,
  workedRows,
  type Connector,
  type Run,
} from "../../../words";
import { DecidedMeanwhile, type Decided } from "./decided-meanwhile";
import { Decision } from "./decision";
import { RunErrors } from "./run-errors";
import { RunRemovals } from "./run-removals";
import { Undo, Undone } from "./undo";

export function RunPage({ id, run: runId }: { id: string; run: string }) {
  const trpc = useTRPC();
  const connector = useQuery(trpc.connectors.get.queryOptions({ id }));
  const run = useQuery(
    trpc.connectors.run.queryOptions(
      { id, run: runId },
      { refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 1_000 : false) },
    ),
  );
  if (connector.data && run.data)
    return (
      <>
        {run.error && isUnderWay(run.data) && (
          <Notice tone="warning" title="The service does not answer at the moment" className="mb-5">
            The numbers below may be old. The run goes on by itself when the service is back.
          </Notice>
        )}
        <RunDetail connector={connector.data} run={run.data} />
      </>
    );
  const error = connector.error ?? run.error;
  if (error) return <Failure error={error} onRetry={() => void Promise.all([connector.refetch(), run.refetch()])} />;
  return <SkeletonPage />;
}

function RunDetail({ connector, run }: { connector: Connector; run: Run }) {
  const { can } = useSession();
  const { counts } = run;
  const [decided, setDecided] = useState<Decided | null>(null);
  const mayDecide = can("connectors:approve");
  return (
    <>
      <PageHeader
        trail={[
          { label: "Connectors", href: "/connectors" },
          { label: connector.name, href: `/connectors/${connector.id}` },
        ]}
        title={
          <span className="[&_time]:whitespace-normal">
            {run.trigger === "undo" ? "Undo" : run.trigger === "upload" || run.file ? "File" : "List"} of{" "}
            <Time at={run.createdAt} as="exact" />
          </span>
        }
        description={<Cause run={run} />}
        aside={
          <span aria-live="polite">
            <Status {...statusOf(run)} />
          </span>
        }
        actions={
          <>
            <Undo run={run} />
            <Decision connector={connector} run={run} onDecided={setDecided} />
          </>
        }
      />
      {decided && <DecidedMeanwhile decided={decided} />}
      <Undone run={run} />
      {run.file && (
        <p className="mb-4 text-[0.8125rem] text-muted">
          <bdi>{run.file.name}</bdi>
          {run.file.movedTo && (
            <>
              , moved to <bdi>{run.file.movedTo}</bdi>
            </>
          )}
        </p>
      )}
      {run.file?.problem && (
        <Notice tone="warning" title="The file was not moved away" className="mb-5">
          {run.file.problem} It is not taken again until it changes.
        </Notice>
      )}
      {run.status === "held" && run.hold && (
        <Notice
          tone="warning"
          title={
            mayDecide ? "This file waits for your approval" : "This file waits for the approval of an owner or admin"
          }
          className="mb-5"
        >
          {run.hold.message}{" "}
          {waitsWhole(run) ? "Nothing of the file was applied." : "Everything else in the file was applied."}
          {mayDecide &&
            (waitsWhole(run)
              ? " Approve if that is meant, or cancel and upload the right file."
              : " Look at the names below, then approve, or cancel if the file is wrong.")}
        </Notice>
      )}
      {run.errorSummary && (
        <Notice
          tone={run.status === "failed" ? "danger" : "info"}
          title={
            run.status !== "failed"
              ? "This file no longer counts"
              : changedSome(run)
                ? "This file was applied in part"
                : run.trigger === "upload"
                  ? "This file was not applied"
                  : "Nothing was applied"
          }
          className="mb-5"
        >
          <ErrorMessage run={run} message={run.errorSummary.message} />
          {run.status === "cancelled" && <> {applied(run)}</>}
        </Notice>
      )}
      {run.status === "cancelled" && !run.errorSummary && applied(run) && (
        <Notice title="This file was cancelled" className="mb-5">
          {applied(run)}
        </Notice>
      )}
      {run.identical && (
        <Notice title="The same file as before" className="mb-5">
          There was nothing to do.
        </Notice>
      )}
      {isUnderWay(run) && run.trigger !== "undo" && <Progress run={run} />}
      {!isUnapplied(run) && <Figures run={run} />}
      <div className="space-y-5">
        {can("subjects:read") &&
          run.trigger !== "undo" &&
          (counts.held > 0 || counts.deactivated > 0 || (run.hold?.memberships ?? 0) > 0) && <RunRemovals run={run} />}
        {counts.rejected > 0 && <RunErrors run={run} />}
      </div>
    </>
  );
}

/** Why there was a run: whoever asked for it or approved it, the schedule, or a file that came by SFTP. */
function Cause({ run: { actor, trigger, approved } }: { run: Run }) {
  const actorOf = useActors(useMemo(() => [actor], [actor]));
  if (actor.type === "job") return trigger === "sftp" ? "It came by SFTP." : "The schedule started it.";
  const did =
    trigger === "undo" ? "Undone by" : approved ? "Approved by" : trigger === "upload" ? "Uploaded by" : "Asked for by";
  return (
    <>
      {did} <ActorName actor={actorOf(actor)} />
    </>
  );
}

/** What of a file was applied before its run was cancelled or replaced. */
const applied = (run: Run): string => {
  if (isUnapplied(run)) return "Nothing of this file was applied.";
  if (isStoppedMidway(run)) return `${stoppedAfter(run)}. What was applied before stays as it is.`;
  return isPartlyApplied(run)
    ? "What waited for approval was not applied: nobody was deactivated or left a group by it. The rest of the file was applied."
    : "";
};

const changedSome = ({ counts: { created, updated, deactivated } }: Run) => created + updated + deactivated > 0;

/** How far a run has come in its file. */
function Progress({ run }: { run: Run }) {
  const { rows } = run.counts;
  const worked = workedRows(run);
  const words = progressOf(run);
  return (
    <div className="mb-5">
      <div
        role="progressbar"
        aria-label="Rows done"
        aria-valuemin={0}
        aria-valuemax={Math.max(rows, 1)}
        aria-valuenow={worked}
        aria-valuetext={words}
        className="h-2 w-full overflow-hidden rounded-full bg-default"
      >
        <span
          className="block h-full bg-accent transition-[width] duration-500 motion-reduce:transition-none"
          style={{ width: `${rows === 0 ? 0 : (worked / rows) * 100}%` }}
        />
      </div>
      <p className="mt-1.5 text-xs text-muted tabular-nums">{words}</p>
    </div>
  );
}

function Figures({ run }: { run: Run }) {
  return (
    <section aria-label="What it did" className="mb-5 overflow-hidden rounded-xl border bg-surface shadow-surface">
      <dl
        className={`grid grid-cols-2 gap-px bg-separator sm:grid-cols-3 ${run.trigger === "undo" ? "lg:grid-cols-5" : "lg:grid-cols-6"}`}
      >
        {figuresOf(run).map(([name, value]) => (
          <Figure key={name} name={name} tone={name === "Rejected" && value > 0 ? "text-danger-soft-foreground" : ""}>
            {value}
          </Figure>
        ))}
      </dl>
    </section>
  );
}

/** The message of a run that did not end as asked. The run that replaced it is a link instead of an id. */
function ErrorMessage({ run, message }: { run: Run; message: string }) {
  const newer = run.errorSummary?.code === "superseded" && /run_[0-9a-z]+/.exec(message)?.[0];
  if (!newer) return message;
  return (
    <>
      <Link className="underline" href={`/connectors/${run.connectorId}/runs/${newer}`}>
        Replaced by a newer file
      </Link>
      .
    </>
  );
}

const figuresOf = ({ trigger, counts }: Run): [string, number][] =>
  trigger === "undo"
    ? [
        ["People", counts.rows],
        ["Restored", counts.updated],
        ["Deleted", counts.deleted],
        ["Deactivated", counts.deactivated],
        ["Skipped", counts.skipped],
      ]
    : [
        ["Rows", counts.rows],
        ["New", counts.created],
        ["Changed", counts.updated],
        ["As they were", counts.unchanged],
        ["Deactivated", counts.deactivated],
        ["Rejected", counts.rejected],
      ];

function Figure({ name, tone = "", children }: { name: string; tone?: string; children: number }) {
  return (
    <div className="bg-surface px-4 py-3 sm:px-5">
      <dt className="truncate text-xs text-muted">{name}</dt>
      <dd className={`mt-0.5 text-lg leading-6 font-semibold tabular-nums ${tone}`}>{count(children)}</dd>
    </div>
  );
}
