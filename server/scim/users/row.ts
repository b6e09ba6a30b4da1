import { publicId, type Id } from "@/server/core/ids";
import type { Fields } from "../protocol/values";

/** A row of `scim_users`. */
export interface UserRow {
  subject_id: Id<"sub">;
  user_key: string;
  external_id: string | null;
  active: boolean;
  resource: Fields;
  version: number;
  hidden_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const userColumns =
  "subject_id, user_key, external_id, active, resource, version, hidden_at, created_at, updated_at";

export const userId = (row: Pick<UserRow, "subject_id">) => publicId("sub", row.subject_id);
