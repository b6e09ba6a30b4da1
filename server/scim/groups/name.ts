import { groupFields } from "@/server/groups/input";
import { badRequest } from "../protocol/error";
import type { Json } from "../protocol/values";

const longestName = 1_000;

/** A name of a group in three forms: the provider's, the one for comparisons, and the name in this service. */
export interface GroupName {
  written: string;
  key: string;
  shown: string;
}

/**
 * Reads the displayName of a group. The name that people see has no invisible characters and at most 150 visible ones.
 * @throws ScimError invalidValue
 */
export function groupNameOf(displayName: Json | undefined): GroupName {
  const written = typeof displayName === "string" ? displayName : "";
  if (written.length > longestName)
    throw badRequest("invalidValue", `displayName has more than ${longestName.toLocaleString("en")} characters.`);
  const visible = written
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const parsed = groupFields.name.safeParse([...visible].slice(0, 150).join("").slice(0, 200).toWellFormed());
  if (!parsed.success) throw badRequest("invalidValue", "A group has a displayName that can be read.");
  return { written, key: written.normalize("NFC").trim().toLowerCase(), shown: parsed.data };
}
