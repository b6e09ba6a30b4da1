import { DomainError } from "@/server/core/errors";

export const versionStatuses = ["draft", "published", "archived"] as const;
export type VersionStatus = (typeof versionStatuses)[number];
export type VersionAction = "publish" | "archive" | "unarchive";

/**
 * The status that each action leads to. An action that leads to the present status changes nothing. An action that is
 * missing here is refused.
 */
const transitions: Record<VersionStatus, Partial<Record<VersionAction, VersionStatus>>> = {
  draft: { publish: "published", archive: "archived" },
  published: { publish: "published", archive: "archived", unarchive: "published" },
  archived: { archive: "archived", unarchive: "published" },
};

/**
 * Returns the status after an action. Unarchiving a version that was archived as a draft makes it a draft again.
 * @throws DomainError version_state, naming status and action.
 */
export function nextStatus(
  version: { version: number; status: string; published_at: Date | null },
  action: VersionAction,
): VersionStatus {
  const next = transitions[version.status as VersionStatus][action];
  if (!next) {
    throw new DomainError(
      "version_state",
      `Version ${version.version} is ${version.status}; that does not allow ${action}.`,
      {
        members: { state: version.status, action },
      },
    );
  }
  return action === "unarchive" && version.published_at === null ? "draft" : next;
}

/**
 * Returns the current version of a template or achievement after an action. Publishing makes a version current.
 * Archiving the current version leaves none. Unarchiving a published version makes it current if there is none.
 * @param current the number of the current version before; null without one
 * @param before the version as it was
 * @param status its status after the action
 */
export function currentAfter(
  current: number | null,
  before: { version: number; status: string },
  status: VersionStatus,
  action: VersionAction,
): number | null {
  if (action === "publish") return before.version;
  if (action === "archive") return current === before.version ? null : current;
  return current ?? (before.status === "archived" && status === "published" ? before.version : null);
}
