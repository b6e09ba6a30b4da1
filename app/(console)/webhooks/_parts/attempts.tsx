"use client";
import { Disclosure } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleCheck, CircleX } from "lucide-react";
import { useEffect } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import type { AttemptView } from "@/server/webhooks/deliveries/attempt-view";
import { Body } from "./body";
import { errorWords } from "./error-words";
import { duration } from "./figures";

/** Lists the attempts of a delivery, newest first. `made` is the number of attempts that the delivery counts. */
export function Attempts({ deliveryId, made, live }: { deliveryId: string; made: number; live: boolean }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhooks.deliveries.attempts.queryOptions(
      { id: deliveryId, limit: 100 },
      { refetchInterval: live ? 2_000 : false },
    ),
  );
  const { refetch } = query;
  // The delivery may be shown as ended before its last attempt is recorded, so poll until all attempts are there.
  useEffect(() => void refetch(), [made, refetch]);
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonLines lines={2} />;
  if (query.data.data.length === 0) return <p className="text-[0.8125rem] text-muted">None yet.</p>;
  return (
    <ul className="divide-y divide-separator overflow-hidden rounded-lg border">
      {query.data.data.map((attempt, i) => (
        <li key={attempt.id}>
          <Attempt attempt={attempt} open={i === 0} />
        </li>
      ))}
    </ul>
  );
}

function Attempt({ attempt: a, open }: { attempt: AttemptView; open: boolean }) {
  const Icon = a.errorClass ? CircleX : CircleCheck;
  return (
    <Disclosure defaultExpanded={open}>
      <Disclosure.Heading>
        <Disclosure.Trigger className="flex w-full cursor-pointer items-center gap-2.5 px-3 py-2.5 text-left text-[0.8125rem] outline-none hover:bg-surface-secondary focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset">
          <Icon className={`size-4 shrink-0 ${a.errorClass ? "text-danger" : "text-success"}`} aria-hidden="true" />
          <span className="min-w-0 flex-1 sm:flex sm:gap-2.5">
            <span className="block shrink-0 font-medium">Attempt {a.number}</span>
            <span className="block truncate text-muted">
              {a.statusCode ?? (a.errorClass && errorWords[a.errorClass].title)}
            </span>
          </span>
          <span className="shrink-0 text-xs text-muted tabular-nums">
            {duration(a.durationMs)} · <Time at={a.createdAt} />
          </span>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
        </Disclosure.Trigger>
      </Disclosure.Heading>
      <Disclosure.Content>
        <Disclosure.Body className="space-y-4 px-3 pt-1 pb-4">
          {a.errorClass && (
            <Notice tone="warning" title={errorWords[a.errorClass].title}>
              {a.errorDetail} {errorWords[a.errorClass].advice}
            </Notice>
          )}
          <Part name="Request">
            <p className="font-mono text-xs break-all">POST {a.url}</p>
            {a.address && <p className="mt-0.5 text-xs text-muted">to {a.address}</p>}
            <Headers of={a.requestHeaders} />
          </Part>
          {a.statusCode !== null && (
            <Part name={`Answer ${a.statusCode}`}>
              <Headers of={a.responseHeaders} />
              {a.responseBody ? (
                <div className="mt-2">
                  <Body text={a.responseBody} what="answer" />
                </div>
              ) : (
                <p className="mt-1 text-xs text-muted">No body.</p>
              )}
              {a.responseTruncated && <p className="mt-1 text-xs text-muted">Cut after 16 KB.</p>}
            </Part>
          )}
        </Disclosure.Body>
      </Disclosure.Content>
    </Disclosure>
  );
}

function Part({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <h4 className="mb-1 text-xs font-medium text-muted">{name}</h4>
      {children}
    </div>
  );
}

function Headers({ of }: { of: Record<string, string> }) {
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-mono text-xs">
      {Object.entries(of).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
