"use client";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, type ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { LinkTabs } from "@/components/ui/link-tabs";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { EndpointActions } from "./endpoint-actions";
import { EndpointHealth } from "./endpoint-health";

type EndpointDetail = RouterOutputs["webhooks"]["endpoints"]["get"];

const EndpointContext = createContext<EndpointDetail | null>(null);

/** The frame of the pages about one endpoint. */
export function useEndpoint(): EndpointDetail {
  return useContext(EndpointContext)!;
}

const trail = [{ label: "Webhooks", href: "/webhooks" }];

export function EndpointFrame({ id, children }: { id: string; children: ReactNode }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.webhooks.endpoints.get.queryOptions({ id }, { refetchInterval: 15_000 }));
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonPage />;
  const endpoint = query.data;
  const failing = endpoint.status === "active" && endpoint.failingSince !== null;
  return (
    <EndpointContext value={endpoint}>
      <PageHeader
        trail={trail}
        title={endpoint.description || endpoint.url}
        aside={<Status of={failing ? "failing" : endpoint.status} />}
        description={
          endpoint.description ? (
            <span title={endpoint.url} className="line-clamp-2 font-mono text-xs break-all">
              {endpoint.url}
            </span>
          ) : undefined
        }
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <StateNotice endpoint={endpoint} />
      <EndpointHealth endpoint={endpoint} />
      <LinkTabs
        label="Endpoint"
        tabs={[
          { href: `/webhooks/${id}`, label: "Deliveries" },
          { href: `/webhooks/${id}/settings`, label: "Settings" },
          { href: `/webhooks/${id}/verify`, label: "Verify signatures" },
        ]}
      />
      {children}
    </EndpointContext>
  );
}

const reasons = {
  failing: "Nothing was accepted for five days, so it was disabled.",
  gone: "It answered 410 Gone, so it was disabled at once.",
  manual: "It was disabled by hand.",
};

function StateNotice({ endpoint: e }: { endpoint: EndpointDetail }) {
  if (e.status === "disabled") {
    return (
      <Notice
        tone="danger"
        title={
          <>
            Disabled <Time at={e.disabledAt} />
          </>
        }
        className="mb-5"
      >
        {e.disabledReason && reasons[e.disabledReason]} What was due is parked. Enable it, then recover what it missed.
      </Notice>
    );
  }
  if (e.status === "paused")
    return (
      <Notice tone="warning" title="Paused" className="mb-5">
        Deliveries wait and none is lost. They go out when it is enabled.
      </Notice>
    );
  if (e.failingSince === null) return null;
  return (
    <Notice
      tone="warning"
      title={
        <>
          Failing since <Time at={e.failingSince} />
        </>
      }
      className="mb-5"
    >
      {e.lastFailureDetail}{" "}
      {e.willBeDisabledAt && (
        <>
          If nothing is accepted until <Time at={e.willBeDisabledAt} as="exact" />, it is disabled.
        </>
      )}
    </Notice>
  );
}
