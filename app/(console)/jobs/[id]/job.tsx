"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Copyable } from "@/components/ui/copy";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { useSession } from "../../_shell/session";
import { TemplateName } from "../../templates/template-name";
import { isUnderWay, jobStatus, jobWords, type BulkJob } from "../words";
import { JobFigures } from "./job-figures";
import { JobRows } from "./job-rows";

const trail = [{ label: "Bulk actions", href: "/jobs" }];

export function Job({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.bulk.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 1_000 : false) },
    ),
  );
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonPage />;
  const job = query.data;
  return (
    <>
      <PageHeader
        trail={trail}
        title={jobWords[job.action].title(job.total)}
        aside={
          <span aria-live="polite">
            <Status {...jobStatus(job)} />
          </span>
        }
        description={<Description job={job} />}
        actions={<Cancel job={job} />}
      />
      {job.stopReason && (
        <Notice tone="warning" title="This was stopped" className="mb-5">
          {job.stopReason} {stopEffect(job)}
        </Notice>
      )}
      <JobFigures job={job} />
      <JobRows job={job} />
    </>
  );
}

function Description({ job }: { job: BulkJob }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      {job.templateId && (
        <Link href={`/templates/${job.templateId}`} className="font-medium text-foreground hover:underline">
          <TemplateName id={job.templateId} />
        </Link>
      )}
      <Copyable text={job.id} what="id in the API" />
    </span>
  );
}

const format = new Intl.NumberFormat("en");

function stopEffect({ total, processed }: BulkJob): string {
  const left = total - processed;
  return `${format.format(left)} ${left === 1 ? "row was" : "rows were"} not worked on; what was done before stays. To go on, send those rows anew.`;
}

function Cancel({ job }: { job: BulkJob }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [asked, setAsked] = useState(false);
  const action = useAction(trpc.bulk.cancel.mutationOptions(), { done: "Stopped", onDone: () => setAsked(false) });
  if (!isUnderWay(job) || !can(jobWords[job.action].scope)) return null;
  const left = job.total - job.processed;
  return (
    <>
      <Button variant="danger-soft" onPress={() => setAsked(true)}>
        <CircleStop aria-hidden="true" /> Stop
      </Button>
      <Confirm
        isOpen={asked}
        onOpenChange={setAsked}
        title="Stop it here?"
        confirm="Stop"
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run({ id: job.id })}
      >
        <p>
          About {format.format(left)} {left === 1 ? "row" : "rows"} will not be worked on. It cannot be taken up again;
          send those rows anew instead.
        </p>
        <p>
          {job.succeeded === 0
            ? "Nothing was done so far."
            : `The ${format.format(job.succeeded)} done so far stay as they are.`}
        </p>
      </Confirm>
    </>
  );
}
