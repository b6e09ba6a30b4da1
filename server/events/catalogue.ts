import type { z } from "zod";
import {
  achievementFacts,
  channelFacts,
  credentialFacts,
  endpointFacts,
  groupFacts,
  groupMemberFacts,
  nameConfirmationFacts,
  policyRunFacts,
  resumedFacts,
  sharedFacts,
  subjectFacts,
  verificationFacts,
  versionFacts,
} from "./facts";

/** Every event type of spec 6.2, with the shape of its `data.object` and what it means. */
export const catalogue = {
  "credential.created": { object: credentialFacts, about: "A credential was created; it may not be valid yet." },
  "credential.issued": { object: credentialFacts, about: "A credential became valid." },
  "credential.updated": { object: credentialFacts, about: "A credential's data, expiry or design changed." },
  "credential.suspended": { object: credentialFacts, about: "A credential was suspended; it can be resumed." },
  "credential.resumed": { object: resumedFacts, about: "A suspended credential is valid again." },
  "credential.revoked": { object: credentialFacts, about: "A credential was revoked for good." },
  "credential.expired": { object: credentialFacts, about: "A credential reached its expiry." },
  "credential.verified": { object: verificationFacts, about: "Somebody verified a credential and it was valid." },
  "credential.verify_refused": {
    object: verificationFacts,
    about: "Somebody verified a credential and it was not valid.",
  },
  "credential.shared": { object: sharedFacts, about: "Somebody shared a credential from its public page." },
  "credential.viewed": { object: verificationFacts, about: "Somebody opened a credential's public page." },
  "credential.channel.provisioned": { object: channelFacts, about: "A credential was made available on a channel." },
  "credential.channel.installed": { object: channelFacts, about: "A holder added a credential to a wallet." },
  "credential.channel.removed": { object: channelFacts, about: "A holder removed a credential from a wallet." },
  "credential.channel.failed": { object: channelFacts, about: "A channel could not be served." },
  "subject.created": { object: subjectFacts, about: "A subject was created." },
  "subject.updated": { object: subjectFacts, about: "A subject changed." },
  "subject.deactivated": { object: subjectFacts, about: "A subject became inactive." },
  "subject.deleted": { object: subjectFacts, about: "A subject that never held a credential was deleted." },
  "template.version.published": { object: versionFacts, about: "A template version was published." },
  "template.version.archived": { object: versionFacts, about: "A template version was archived." },
  "template.version.unarchived": { object: versionFacts, about: "An archived template version was brought back." },
  "achievement.created": { object: achievementFacts, about: "An achievement was created." },
  "achievement.updated": { object: achievementFacts, about: "An achievement changed." },
  "achievement.version.published": { object: versionFacts, about: "An achievement version was published." },
  "achievement.version.archived": { object: versionFacts, about: "An achievement version was archived." },
  "policy.applied": { object: policyRunFacts, about: "A policy ran to its end." },
  "policy.halted": { object: policyRunFacts, about: "A policy would have changed too much and changed nothing." },
  "policy.failed": { object: policyRunFacts, about: "A policy could not run." },
  "group.created": { object: groupFacts, about: "A group was created." },
  "group.updated": { object: groupFacts, about: "A group changed." },
  "group.deleted": { object: groupFacts, about: "A group was deleted." },
  "group.members_added": { object: groupMemberFacts, about: "Subjects joined a group." },
  "group.members_removed": { object: groupMemberFacts, about: "Subjects left a group." },
  "name_confirmation.requested": {
    object: nameConfirmationFacts,
    about: "A holder is asked, or asked again, to confirm the name before a credential is issued.",
  },
  "name_confirmation.confirmed": {
    object: nameConfirmationFacts,
    about: "A name was confirmed, and the credential was issued.",
  },
  "name_confirmation.cancelled": {
    object: nameConfirmationFacts,
    about: "A request to confirm a name was cancelled: nothing is issued.",
  },
  "webhook.endpoint.created": { object: endpointFacts, about: "A webhook endpoint was registered." },
  "webhook.endpoint.updated": { object: endpointFacts, about: "A webhook endpoint changed." },
  "webhook.endpoint.deleted": { object: endpointFacts, about: "A webhook endpoint was deleted." },
  "webhook.endpoint.disabled": { object: endpointFacts, about: "A webhook endpoint kept failing and was disabled." },
} as const;

export type EventType = keyof typeof catalogue;
export type EventObject<T extends EventType> = z.input<(typeof catalogue)[T]["object"]>;

export const eventTypes = Object.keys(catalogue) as EventType[];

/** The families for patterns such as `credential.*`, which includes `credential.channel.*` and types added later. */
const eventFamilies = [
  ...new Set(
    eventTypes.flatMap((type) =>
      type
        .split(".")
        .slice(0, -1)
        .map((_, i, parts) => parts.slice(0, i + 1).join(".")),
    ),
  ),
];

/** Whether a text is a type of the catalogue or the pattern of one of its families. */
export function isEventPattern(pattern: string): boolean {
  return pattern.endsWith(".*") ? eventFamilies.includes(pattern.slice(0, -2)) : Object.hasOwn(catalogue, pattern);
}
