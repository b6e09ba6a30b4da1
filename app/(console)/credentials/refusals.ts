import type { RowError } from "@/server/credentials/bulk-rows";
import type { CredentialState } from "@/server/credentials/states";

type Step = "suspend" | "resume";

/** Why a state does not allow a step. What is not here is allowed, or changes nothing. */
const stateWords: Record<Step, Partial<Record<CredentialState, string>>> = {
  suspend: {
    pending: "It is not valid yet. It can be suspended from its first day on, or revoked now.",
    expired: "It has expired, so there is nothing to suspend.",
    revoked: "It was revoked, which is for good.",
  },
  resume: {
    pending: "It is not suspended: its first day lies ahead.",
    active: "It is not suspended: it is active.",
    expired: "It has expired. Reissue it to give its holder a new one.",
    revoked: "It was revoked, which is for good. Reissue it to give its holder a new one.",
  },
};

const words: Record<string, string> = {
  not_found: "It is not there any more.",
  subject_inactive: "The person is inactive. Reactivate them first.",
  subject_erased: "The person was erased. Nothing can be issued to them.",
  credential_exists: "They hold this credential already.",
  template_not_published: "The template is not published.",
  template_archived: "The template is archived.",
  validity_unresolved: "The template takes the last day from the person's record, which holds none.",
  insufficient_scope: "Whoever asked for it may not do this.",
};

/** Why a row of a bulk action was refused, as a person would say it. */
export function refusalText(error: Pick<RowError, "code" | "detail" | "errors"> & Record<string, unknown>): string {
  if (error.code === "credential_state") {
    const { action, state } = error as { action?: string; state?: CredentialState };
    const reason = (action === "suspend" || action === "resume") && state ? stateWords[action][state] : undefined;
    return reason ?? (state ? `It is ${state}, which does not allow this.` : error.detail);
  }
  if (error.errors?.length) return error.errors.map(({ message }) => message).join(" ");
  return words[error.code] ?? error.detail;
}

/** True where a refusal only says that there was nothing to do: what should be resumed is active. */
export function isSoAlready(error: Pick<RowError, "code"> & Record<string, unknown>): boolean {
  return error.code === "credential_state" && error["action"] === "resume" && error["state"] === "active";
}
