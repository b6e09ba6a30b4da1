import { formatCode } from "./code";

const opening = "It was issued without a confirmation, as ";

/** Why a request to confirm a name is cancelled if the credential is issued without it. */
export const issuedUnasked = (code: string): string => `${opening}${formatCode(code)}.`;

/** The code of the credential that was issued although a request to confirm the name waits; null if there is none. */
export const codeIssuedUnasked = ({ state, reason }: { state: string; reason: string | null }): string | null =>
  state === "cancelled" && reason?.startsWith(opening) ? reason.slice(opening.length, -1) : null;
