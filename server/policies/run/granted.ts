import type { Id } from "@/server/core/ids";
import type { CredentialRow } from "@/server/credentials/view";
import type { Action, Counts } from "../run-view";

/** A person who should hold a credential, and the action of the run. */
export interface Granted {
  subject_id: Id<"sub">;
  credential_id: Id<"crd"> | null;
  action: Action;
}

export interface Refusal {
  code: string;
  message: string;
}

/** What was done for some people, and the first refusal. */
export interface Done {
  counts: Counts;
  refusal: Refusal | null;
}

export const nothing: Done = { counts: {}, refusal: null };

/** The template issues nothing now. Removals and resumes continue. */
export const refused = ({ code, message }: Refusal, rows: Granted[]): Done =>
  rows.length === 0 ? nothing : { counts: { refused: rows.length }, refusal: { code, message } };

/** Whether a policy may resume or replace the credential: a policy suspended it, and no person since. */
export const isPolicySuspended = (row: CredentialRow | undefined): boolean =>
  row?.state === "suspended" && row.suspended_by_policy;
