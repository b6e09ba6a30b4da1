import type { Id } from "@/server/core/ids";

/** A row of apple_passes, as raw SQL returns it. */
export interface PassRow {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
  serial: string;
  token: Uint8Array;
  pass_type_id: string;
  revised_at: Date;
}

export const passColumns = "p.org_id, p.credential_id, p.serial, p.token, p.pass_type_id, p.revised_at";
