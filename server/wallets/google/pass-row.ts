import { randomBytes } from "node:crypto";
import type { Id } from "@/server/core/ids";

/** A row of google_passes, as raw SQL returns it, with the code of its credential. */
export interface GooglePassRow {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
  object_id: string;
  made_at: Date | null;
}

export const googlePassColumns = "p.org_id, p.credential_id, p.object_id, p.made_at";

/** Makes the id of a pass at Google: its issuer's number and a random name, which tells nothing. */
export const newObjectId = (issuerId: string): string => `${issuerId}.${randomBytes(18).toString("base64url")}`;
