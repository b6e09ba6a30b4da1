import type { RowError } from "@/server/credentials/bulk-rows";
import type { CredentialState } from "@/server/credentials/states";

type Step = "suspend" | "resume";

/** Why a state does not allow an action. An action that is not listed is allowed, or changes nothing. */
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
  subject_inactive: "The person is inactive. Reactivate them first.",
  subject_erased: "The person was erased. Nothing can be issued to them.",
  credential_exists: "They hold this credential already.",
  name_unconfirmed: "They were asked already to confirm their name, and get it then.",
  template_not_published: "The template is not published.",
  template_archived: "The template is archived.",
  insufficient_scope: "Whoever asked for it may not do this.",
};

/** Says why a row was refused whose credential has no last day, or one that has passed. */
function lastDayText({ attribute, expiresAt }: { attribute?: string; expiresAt?: string }): string | undefined {
  if (attribute !== undefined)
    return `The template takes the last day from “${attribute}” in the person's record, which holds no date.`;
  if (expiresAt === undefined) return undefined;
  return new Date(expiresAt).getUTCFullYear() < 9999
    ? "By the template, and the date in the person's record if it reads one, it would have ended already."
    : "By the template, and the date in the person's record if it reads one, it would end too late. The last year is 9998.";
}

/** Names the missing record of a row in the console's words. */
function missingText(detail: string): string {
  const [, what, id] = /^There is no (template|subject|credential) "([^"]+)"/.exec(detail) ?? [];
  if (what === "template") return `The template ${id} is not there. It was deleted, or its id is wrong.`;
  return what === "subject" ? "The person is not there any more." : "It is not there any more.";
}

/** Says why a row of a bulk action was refused. */
export function refusalText(error: Pick<RowError, "code" | "detail" | "errors"> & Record<string, unknown>): string {
  if (error.code === "credential_state") {
    const { action, state } = error as { action?: string; state?: CredentialState };
    const reason = (action === "suspend" || action === "resume") && state ? stateWords[action][state] : undefined;
    return reason ?? (state ? `It is ${state}, which does not allow this.` : error.detail);
  }
  if (error.errors?.length) return error.errors.map(({ message }) => message).join(" ");
  if (error.code === "not_found") return missingText(error.detail);
  if (error.code === "validity_unresolved" || error.code === "expiry_out_of_range")
    return lastDayText(error as { attribute?: string; expiresAt?: string }) ?? error.detail;
  return words[error.code] ?? error.detail;
}

/** True if an action was refused only because it would change nothing, such as resuming an active credential. */
export function isSoAlready(error: Pick<RowError, "code"> & Record<string, unknown>): boolean {
  return error.code === "credential_state" && error["action"] === "resume" && error["state"] === "active";
}
