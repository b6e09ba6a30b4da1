"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";

const often = { refetchInterval: 15_000 };
const format = new Intl.NumberFormat("en");
const counted = (n: number, one: string, many: string) => `${format.format(n)} ${n === 1 ? one : many}`;

/** Policies whose last run was halted because it would have ended too many credentials. */
export function HaltedPolicies() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.policies.list.queryOptions({ status: "halted", limit: 20 }, often));
  return data?.data.map(({ id, name, lastRun, haltedSince }) => (
    <Notice
      key={id}
      tone="warning"
      title={
        <>
          Policy “<bdi>{name}</bdi>” is halted
        </>
      }
      action={<Look href={`/policies/${id}`} />}
    >
      {lastRun?.halt?.message} {haltedSince && <Since at={haltedSince} />} Nothing was changed.
    </Notice>
  ));
}

/**
 * Policies whose last run failed. People who joined since then may lack a credential, and people who left may still
 * have one.
 */
export function FailingPolicies() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.policies.failing.queryOptions({}, often));
  return data?.map(({ policyId, policyName, runId, message, failedAt }) => (
    <Notice
      key={policyId}
      tone="danger"
      title={
        <>
          The last run of the policy “<bdi>{policyName}</bdi>” failed
        </>
      }
      action={<Look href={`/policies/${policyId}/runs/${runId}`} label="Look at it" />}
    >
      {message} {failedAt && <Time at={failedAt} />}
    </Notice>
  ));
}

/** Connectors with a held file, or with held deactivations. */
export function HeldFiles() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.connectors.heldRuns.queryOptions({}, often));
  return data?.map(({ id, connectorId, connectorName, held, memberships, reason, heldSince }) => (
    <Notice
      key={id}
      tone="warning"
      title={
        <>
          A file of “<bdi>{connectorName}</bdi>” waits for an approval
        </>
      }
      action={<Look href={`/connectors/${connectorId}/runs/${id}`} />}
    >
      {reason === "lost_values"
        ? "It would empty a column for nearly everybody."
        : memberships > 0
          ? `It would remove people from groups that policies use: ${counted(held, "removal", "removals")} in all.`
          : `It would deactivate ${counted(held, "person", "people")}.`}{" "}
      {heldSince && <Since at={heldSince} />}
    </Notice>
  ));
}

/**
 * Connectors whose last run failed or could not use a single row. Who would have been added or deactivated is not
 * known.
 */
export function FailingConnectors() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.connectors.failing.queryOptions({}, often));
  return data?.map(({ connectorId, connectorName, runId, message, failedAt }) => (
    <Notice
      key={connectorId}
      tone="danger"
      title={
        <>
          The last run of “<bdi>{connectorName}</bdi>” failed
        </>
      }
      action={<Look href={`/connectors/${connectorId}/runs/${runId}`} label="Look at it" />}
    >
      {message} {failedAt && <Time at={failedAt} />}
    </Notice>
  ));
}

/** Directories that asked for more removals than are applied without approval. */
export function WaitingDirectories() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.connectors.waitingDirectories.queryOptions({}, often));
  return data?.map(({ connectorId, connectorName, removals, since }) => (
    <Notice
      key={connectorId}
      tone="warning"
      title={
        <>
          The directory “<bdi>{connectorName}</bdi>” waits for an approval
        </>
      }
      action={<Look href={`/connectors/${connectorId}`} />}
    >
      It wants {counted(removals, "removal", "removals")} applied. <Since at={since} />
    </Notice>
  ));
}

function Since({ at }: { at: string }) {
  return (
    <>
      It began to wait <Time at={at} />.
    </>
  );
}

function Look({ href, label = "Decide" }: { href: string; label?: string }) {
  return (
    <Link href={href} className="font-medium underline">
      {label}
    </Link>
  );
}
