import { formatCode } from "./code";

const opening = "It was issued without a confirmation, as ";

/** Why a request to confirm a name is cancelled where the credential is issued without it. */
export const issuedUnasked = (code: string): string => `${opening}${formatCode(code)}.`;

/** The code of the credential that was issued without waiting for a request to confirm a name; null if none was. */
export const codeIssuedUnasked = ({ state, reason }: { state: string; reason: string | null }): string | null =>
  state === "cancelled" && reason?.startsWith(opening) ? reason.slice(opening.length, -1) : null;
