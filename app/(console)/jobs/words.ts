import type { Scope } from "@/server/core/scopes";
import type { RouterOutputs } from "@/server/trpc/root";

export type BulkJob = RouterOutputs["bulk"]["get"];

interface Words {
  /** Describes the action and the number of rows. */
  title(n: number): string;
  /** The result of a row on which the action succeeded. */
  done: string;
  /** The result of a row that needed no change. */
  already: string;
  /** The scope that the reader needs to cancel the job. */
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

/** The label of a job's status. A job that refused all of its rows is not shown as a success. */
export function jobStatus({ status, succeeded, failed }: BulkJob): { of: string; label?: string } {
  if (status !== "completed" || failed === 0) return { of: status };
  return succeeded === 0 ? { of: "failed", label: "All refused" } : { of: "paused", label: "Partly refused" };
}

/** Whether the job has not ended, so that its page must be polled. */
export const isUnderWay = (job: BulkJob) => job.status === "queued" || job.status === "running";
