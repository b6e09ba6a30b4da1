import type { EventType } from "@/server/events/catalogue";

/** The event types in words. The API's name is shown next to them where developers need it. */
const words: Record<EventType, string> = {
  "credential.created": "Credential created",
  "credential.issued": "Credential issued",
  "credential.updated": "Credential changed",
  "credential.suspended": "Credential suspended",
  "credential.resumed": "Credential resumed",
  "credential.revoked": "Credential revoked",
  "credential.expired": "Credential expired",
  "credential.verified": "Verified as valid",
  "credential.verify_refused": "Verified as not valid",
  "credential.shared": "Credential shared",
  "credential.viewed": "Public page opened",
  "credential.channel.provisioned": "Offered on a channel",
  "credential.channel.installed": "Added to a wallet",
  "credential.channel.removed": "Removed from a wallet",
  "credential.channel.failed": "Channel failed",
  "subject.created": "Person added",
  "subject.updated": "Person changed",
  "subject.deactivated": "Person deactivated",
  "subject.deleted": "Person deleted",
  "template.version.published": "Template published",
  "template.version.archived": "Template version archived",
  "template.version.unarchived": "Template version brought back",
  "achievement.created": "Achievement created",
  "achievement.updated": "Achievement changed",
  "achievement.version.published": "Achievement published",
  "achievement.version.archived": "Achievement version archived",
  "policy.applied": "Policy applied",
  "policy.halted": "Policy halted",
  "policy.failed": "Policy failed",
  "group.created": "Group created",
  "group.updated": "Group changed",
  "group.deleted": "Group deleted",
  "group.members_added": "People joined a group",
  "group.members_removed": "People left a group",
  "name_confirmation.requested": "Asked to confirm a name",
  "name_confirmation.confirmed": "Name confirmed",
  "name_confirmation.cancelled": "Request to confirm a name cancelled",
  "webhook.endpoint.created": "Webhook endpoint registered",
  "webhook.endpoint.updated": "Webhook endpoint changed",
  "webhook.endpoint.deleted": "Webhook endpoint deleted",
  "webhook.endpoint.disabled": "Webhook endpoint disabled",
};

const families: Record<string, string> = {
  "credential.*": "All about credentials",
  "credential.channel.*": "All about channels",
  "subject.*": "All about people",
  "template.version.*": "All about template versions",
  "template.*": "All about templates",
  "achievement.*": "All about achievements",
  "achievement.version.*": "All about achievement versions",
  "policy.*": "All about policies",
  "group.*": "All about groups",
  "webhook.*": "All about webhooks",
  "webhook.endpoint.*": "All about webhook endpoints",
};

/** Returns an event type in words; an unknown type keeps the API's name. */
export const eventWords = (type: string): string => words[type as EventType] ?? type;

/** A family of events in words. */
export const familyWords = (family: string): string => families[family] ?? family;
