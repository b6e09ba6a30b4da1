import { randomBytes } from "node:crypto";
import type { Id } from "@/server/core/ids";

/** A row of google_passes, as raw SQL returns it. */
export interface GooglePassRow {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
  object_id: string;
  made_at: Date | null;
}

export const googlePassColumns = "p.org_id, p.credential_id, p.object_id, p.made_at";

/** Creates the id of a pass at Google: the issuer id and a random name that reveals nothing about the credential. */
export const newObjectId = (issuerId: string): string => `${issuerId}.${randomBytes(18).toString("base64url")}`;
