import { DomainError } from "@/server/core/errors";
import type { GroupRow } from "./view";

/**
 * Refuses to change by hand what a directory decides: the name and the members of a group that it provides, and whether
 * the group exists. The directory would overwrite the change, or never learn of it (docs/decisions/389).
 *
 * @throws DomainError group_provided
 */
export function requireNotProvided({ provided_by: by }: Pick<GroupRow, "provided_by">): void {
  if (!by) return;
  throw new DomainError(
    "group_provided",
    `The directory ${JSON.stringify(by.name)} provides this group: its name and its members are changed there, and it is deleted there.`,
  );
}
