import type { Warning } from "@/server/core/warning";
import type { TemplateKind } from "@/server/templates/view";
import { liveStates, type CredentialState } from "./states";

const code = "unnamed_holder";
const nobody =
  "so its certificate is made out to “the holder of this credential”. A name that is entered later does not get onto it.";

/**
 * Warns of a live academic credential whose holder had no name when it was issued (decision 484). It keeps the name of
 * its issue, so only a reissue adds the name.
 */
export function unnamedCredential(
  {
    kind,
    data,
    subject_erased_at,
  }: { kind: TemplateKind; data: Record<string, unknown>; subject_erased_at: Date | null },
  state: CredentialState,
): Warning[] {
  const { displayName } = (data["subject"] ?? {}) as { displayName?: unknown };
  if (kind !== "academic" || displayName !== "" || subject_erased_at || !liveStates.includes(state)) return [];
  return [{ code, message: `The person had no name at issue, ${nobody} Enter the name, then reissue the credential.` }];
}

/** Warns, before it is issued, of an academic credential for a person without a name. */
export const unnamedPerson: Warning = {
  code,
  message: `The person has no name, ${nobody} Enter the name before the credential is issued.`,
};
