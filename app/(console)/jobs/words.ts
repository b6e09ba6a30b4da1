import type { Scope } from "@/server/core/scopes";
import type { RouterOutputs } from "@/server/trpc/root";

export type BulkJob = RouterOutputs["bulk"]["get"];

interface Words {
  /** What it does to how many. */
  title(n: number): string;
  /** What has become of a row that it was done to. */
  done: string;
  /** What is said of a row for which there was nothing to do. */
  already: string;
  /** What the reader must hold to cancel it. */
  scope: Scope;
}

const format = new Intl.NumberFormat("en");
const credentials = (n: number) => `${format.format(n)} ${n === 1 ? "credential" : "credentials"}`;

export const jobWords: Record<BulkJob["action"], Words> = {
  issue: {
    title: (n) => `Issue ${credentials(n)}`,
    done: "Issued",
    already: "Held already",
    scope: "credentials:issue",
  },
  suspend: {
    title: (n) => `Suspend ${credentials(n)}`,
    done: "Suspended",
    already: "Suspended already",
    scope: "credentials:suspend",
  },
  resume: {
    title: (n) => `Resume ${credentials(n)}`,
    done: "Resumed",
    already: "Active already",
    scope: "credentials:suspend",
  },
  revoke: {
    title: (n) => `Revoke ${credentials(n)}`,
    done: "Revoked",
    already: "Revoked already",
    scope: "credentials:revoke",
  },
  update: {
    title: (n) => `Change ${credentials(n)}`,
    done: "Changed",
    already: "As it was already",
    scope: "credentials:issue",
  },
  revoke_template: {
    title: (n) => `Revoke all ${credentials(n)} of a template`,
    done: "Revoked",
    already: "Revoked already",
    scope: "credentials:revoke_template",
  },
  apply_version: {
    title: (n) => `Show a new design on ${credentials(n)}`,
    done: "New design",
    already: "Showed it already, or ended",
    scope: "credentials:issue",
  },
};

/** What stands on a job's status. One that refused each of its rows is no success. */
export function jobStatus({ status, succeeded, failed }: BulkJob): { of: string; label?: string } {
  if (status !== "completed" || failed === 0) return { of: status };
  return succeeded === 0 ? { of: "failed", label: "All refused" } : { of: "paused", label: "Partly refused" };
}

/** It is not over yet, so what is shown of it changes by itself. */
export const isUnderWay = (job: BulkJob) => job.status === "queued" || job.status === "running";
