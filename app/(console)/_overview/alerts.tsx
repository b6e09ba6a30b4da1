"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useRegion } from "@/components/ui/region";
import { Time } from "@/components/ui/time";
import type { EndpointView } from "@/server/webhooks/endpoints/view";
import { useSession } from "../_shell/session";
import { WalletAlerts } from "./wallet-alert";
import { FailingConnectors, FailingPolicies, HaltedPolicies, HeldFiles, WaitingDirectories } from "./waiting";
import { formatMoment } from "@/server/core/dates";

/**
 * Alerts that need somebody: stopped background work, changes that wait for an approval, failing endpoints. Empty if
 * there are none.
 */
export function Alerts() {
  const { can } = useSession();
  return (
    <div className="space-y-3 empty:hidden">
      <JobAlert />
      {can("settings:read") && <WalletAlerts />}
      {can("policies:read") && (
        <>
          <HaltedPolicies />
          <FailingPolicies />
        </>
      )}
      {can("connectors:read") && (
        <>
          <HeldFiles />
          <FailingConnectors />
          <WaitingDirectories />
        </>
      )}
      {can("webhooks:read") && <EndpointAlerts />}
    </div>
  );
}

function JobAlert() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.organisation.jobHealth.queryOptions({}, { refetchInterval: 15_000 }));
  if (data?.state === "stopped") {
    return (
      <Notice tone="danger" title="Background work has stopped">
        Bulk actions wait, and what expires emits no event until the job engine runs again. Verification is not
        affected. <code className="font-mono text-xs">/readyz</code> tells your operator more.
      </Notice>
    );
  }
  if (data?.state === "refused") {
    return (
      <Notice tone="warning" title="Background work is slow">
        The job server takes no events from this service, so that work waits up to a minute for the next sweep.{" "}
        <code className="font-mono text-xs">/readyz</code> tells your operator why.
      </Notice>
    );
  }
  if (data?.state === "late") {
    return (
      <Notice tone="warning" title="Background work is late">
        Work has been due for {Math.round((data.lateBySeconds ?? 0) / 60)} minutes and has not begun. It will be caught
        up with; nothing is lost.
      </Notice>
    );
  }
  return null;
}

function EndpointAlerts() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhooks.endpoints.list.queryOptions({ limit: 100 }, { refetchInterval: 15_000 }));
  const ill =
    data?.data.filter(
      (endpoint) =>
        (endpoint.status === "active" && endpoint.failingSince !== null) ||
        (endpoint.status === "disabled" && endpoint.disabledReason !== "manual"),
    ) ?? [];
  return ill.map((endpoint) => <EndpointAlert key={endpoint.id} endpoint={endpoint} />);
}

function EndpointAlert({ endpoint }: { endpoint: EndpointView }) {
  const region = useRegion();
  const open = (
    <Link href={`/webhooks/${endpoint.id}`} className="font-medium underline">
      Look at it
    </Link>
  );
  const name = endpoint.description || endpoint.url;
  if (endpoint.status === "disabled") {
    return (
      <Notice tone="danger" title={`${name} was disabled`} action={open}>
        {endpoint.disabledReason === "gone" ? "It answered 410 Gone." : "It kept failing for days."} Its deliveries are
        parked since <Time at={endpoint.disabledAt} as="date" />; enable it and recover them.
      </Notice>
    );
  }
  return (
    <Notice
      tone="warning"
      title={`${name} has been failing since ${formatMoment(endpoint.failingSince!, region)}`}
      action={open}
    >
      {endpoint.lastFailureDetail}{" "}
      {endpoint.willBeDisabledAt && (
        <>
          It will be disabled <Time at={endpoint.willBeDisabledAt} /> if nothing but failures follow.
        </>
      )}
    </Notice>
  );
}
