import { uuidOf, type Id } from "@/server/core/ids";

/** The context to which the encryption of an organisation's service account key is bound. */
export const googleKeyBoundTo = (orgId: Id<"org">) => `google_wallet\n${uuidOf(orgId)}\nprivate_key`;
