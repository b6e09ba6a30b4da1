"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { CopyTextButton } from "@/components/ui/copy";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { Filter } from "@/components/ui/filter";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time, useNow } from "@/components/ui/time";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { useTemplateOptions } from "../../_data/names";
import { useSession } from "../../_shell/session";
import { TemplateName } from "../../templates/template-name";
import { CancelConfirmation, ConfirmForHolder } from "./decide-confirmation";
import { newLinkStep, progressOf } from "./words";

/** The people who have yet to confirm their name before their credential is issued. */
export function ConfirmationQueue() {
  const trpc = useTRPC();
  const at = usePage();
  const [{ template }, setFilters] = useQueryStates({ template: parseAsString });
  const templateOptions = useTemplateOptions(template);
  const [decision, setDecision] = useState<{ request: ConfirmationView; as: "confirm" | "cancel" } | null>(null);
  const query = useQuery(
    trpc.confirmations.list.queryOptions(
      { ...at.range, state: "waiting", ...(template && { templateId: template }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const opener = (as: "confirm" | "cancel") => ({
    isOpen: decision?.as === as,
    onOpenChange: (open: boolean) => !open && setDecision(null),
    request: decision?.request ?? null,
  });
  return (
    <>
      <PageHeader
        trail={[{ label: "Credentials", href: "/credentials" }]}
        title="Names to confirm"
        description="These people were asked whether their name is right. Nothing is issued to them before they say so."
      />
      <ListFrame
        filters={
          <Filter
            label="Template"
            any="Any template"
            value={template}
            onChange={(next) => {
              void setFilters({ template: next });
              void at.setPage(null);
            }}
            options={templateOptions}
          />
        }
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["person", "people"]}
          />
        }
      >
        {query.error && !query.data ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : !query.data ? (
          <div className="p-5">
            <SkeletonLines lines={4} />
          </div>
        ) : query.data.data.length === 0 && !query.data.total ? (
          <Empty icon={CircleCheck} title="Nobody has a name to confirm">
            A person comes here when you issue from a template that asks its holders to confirm their names.
          </Empty>
        ) : (
          <ul className="divide-y">
            {query.data.data.map((request) => (
              <Row key={request.id} request={request} onDecide={(as) => setDecision({ request, as })} />
            ))}
          </ul>
        )}
      </ListFrame>
      <ConfirmForHolder {...opener("confirm")} />
      <CancelConfirmation {...opener("cancel")} />
    </>
  );
}

function Row({ request, onDecide }: { request: ConfirmationView; onDecide(as: "confirm" | "cancel"): void }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const now = useNow();
  const resend = useAction(trpc.confirmations.resend.mutationOptions(), { done: "New link made", loud: true });
  const isExpired = Date.parse(request.linkExpiresAt) <= now;
  const step = newLinkStep(request, isExpired);
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium wrap-anywhere">
          <Link href={`/subjects/${request.subjectId}`} className="hover:underline">
            <bdi>{request.name || "No name"}</bdi>
          </Link>{" "}
          <span className="font-normal text-muted">
            · <TemplateName id={request.templateId} />
          </span>
        </p>
        <p
          className={`mt-1 text-[0.8125rem] text-pretty wrap-anywhere ${request.obstacle ? "text-warning-soft-foreground" : ""}`}
        >
          {progressOf(request, isExpired)}
        </p>
        {request.requestedName !== null && (
          <Link href="/subjects/names" className="mt-1 inline-block text-[0.8125rem] text-accent hover:underline">
            Decide on the name
          </Link>
        )}
        <p className="mt-1 text-xs text-muted">
          Asked <Time at={request.createdAt} />. {isExpired ? "The link expired" : "The link works until"}{" "}
          <Time at={request.linkExpiresAt} as="date" />.
        </p>
      </div>
      {can("credentials:issue") && (
        // Four buttons do not fit in one row of a phone, so they form two rows of two.
        <div className="flex grid-cols-[auto_auto] flex-wrap gap-2 max-sm:has-[>:nth-child(4)]:grid">
          {request.link && !isExpired && !request.obstacle && <CopyTextButton text={request.link} label="Copy link" />}
          {step && request.requestedName === null && !request.obstacle && (
            <Button variant="outline" isPending={resend.isPending} onPress={() => resend.run({ id: request.id })}>
              {step}
            </Button>
          )}
          {request.requestedName === null && !request.obstacle && (
            <Button variant="outline" onPress={() => onDecide("confirm")}>
              Confirm
            </Button>
          )}
          <Button variant="outline" onPress={() => onDecide("cancel")}>
            Cancel
          </Button>
        </div>
      )}
    </li>
  );
}
