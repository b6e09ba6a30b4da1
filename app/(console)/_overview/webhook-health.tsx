"use client";
import { useQuery } from "@tanstack/react-query";
import { Webhook } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import type { EndpointStatistics } from "@/server/webhooks/endpoints/statistics";
import { Sparkline } from "../webhooks/_parts/sparkline";
import { AllOf } from "./all-of";

/** The webhook endpoints and their results of the last 24 hours. */
export function WebhookHealth() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.endpoints.list.queryOptions({ limit: 6 }, { refetchInterval: 15_000 }),
  );
  const statistics = useQuery(
    trpc.webhooks.endpoints.statisticsOfAll.queryOptions({ limit: 6 }, { refetchInterval: 15_000 }),
  );
  const of = (id: string) => statistics.data?.data.find((each) => each.endpointId === id);
  return (
    <Panel flush title="Webhooks, last 24 hours" actions={<AllOf href="/webhooks">All endpoints</AllOf>}>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="p-5">
          <SkeletonLines lines={6} />
        </div>
      ) : data.data.length === 0 ? (
        <Empty
          icon={Webhook}
          title="No endpoints yet"
          action={
            <ButtonLink href="/webhooks" variant="outline">
              Go to webhooks
            </ButtonLink>
          }
        >
          Register your listener, and it hears of every change within milliseconds.
        </Empty>
      ) : (
        <ul className="divide-y divide-separator">
          {data.data.map((endpoint) => (
            <li key={endpoint.id}>
              <Link
                href={`/webhooks/${endpoint.id}`}
                className="flex items-center gap-4 px-4 py-3 outline-none hover:bg-surface-secondary focus-visible:ring-2 focus-visible:ring-focus focus-visible:ring-inset sm:px-5"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-[0.8125rem] font-medium">
                    {endpoint.description || endpoint.url}
                  </span>
                  <span className="block truncate text-xs text-muted">{accepted(of(endpoint.id))}</span>
                </span>
                <span className="max-sm:hidden">
                  <Sparkline hours={of(endpoint.id)?.hours} />
                </span>
                <span className="flex w-22 shrink-0 justify-end">
                  <Status of={endpoint.failingSince && endpoint.status === "active" ? "failing" : endpoint.status} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const format = new Intl.NumberFormat("en");

function accepted(statistics: EndpointStatistics | undefined): string {
  if (!statistics) return " ";
  const { attempts, succeeded } = statistics.last24Hours;
  return attempts === 0
    ? "Nothing was sent"
    : `${format.format(succeeded)} of ${format.format(attempts)} ${attempts === 1 ? "attempt" : "attempts"} accepted`;
}
