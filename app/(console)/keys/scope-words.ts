import type { TokenScope } from "@/server/core/scopes";

/** What each scope allows a token to do, grouped by resource. */
export const scopeGroups: { name: string; scopes: { scope: TokenScope; words: string }[] }[] = [
  {
    name: "People",
    scopes: [
      { scope: "subjects:read", words: "Read" },
      { scope: "subjects:write", words: "Create and change" },
    ],
  },
  {
    name: "Credentials",
    scopes: [
      { scope: "credentials:read", words: "Read" },
      { scope: "credentials:issue", words: "Issue and change" },
      { scope: "credentials:suspend", words: "Suspend and resume" },
      { scope: "credentials:revoke", words: "Revoke" },
      { scope: "credentials:revoke_template", words: "Revoke all of a template" },
    ],
  },
  {
    name: "Templates",
    scopes: [
      { scope: "templates:read", words: "Read" },
      { scope: "templates:write", words: "Design and publish" },
    ],
  },
  {
    name: "Achievements",
    scopes: [
      { scope: "achievements:read", words: "Read" },
      { scope: "achievements:write", words: "Create and change" },
    ],
  },
  {
    name: "Groups",
    scopes: [
      { scope: "groups:read", words: "Read" },
      { scope: "groups:write", words: "Create and change" },
    ],
  },
  {
    name: "Connectors",
    scopes: [
      { scope: "connectors:read", words: "Read" },
      { scope: "connectors:write", words: "Create and change" },
      { scope: "connectors:run", words: "Upload and run" },
      { scope: "connectors:approve", words: "Approve what a run held back" },
    ],
  },
  {
    name: "Policies",
    scopes: [
      { scope: "policies:read", words: "Read" },
      { scope: "policies:write", words: "Create and change" },
      { scope: "policies:apply", words: "Apply" },
      { scope: "policies:approve", words: "Approve a halted run" },
    ],
  },
  {
    name: "Webhooks and events",
    scopes: [
      { scope: "webhooks:read", words: "Read webhooks" },
      { scope: "webhooks:write", words: "Register and change webhooks" },
      { scope: "events:read", words: "Read the event log" },
    ],
  },
  {
    name: "Other",
    scopes: [
      { scope: "verify", words: "Verify as your organisation" },
      { scope: "scim", words: "Provision people by SCIM" },
      { scope: "settings:write", words: "Change the organisation's settings" },
    ],
  },
];

/** Returns a scope in words, with its name in the API: "People, read (subjects:read)". */
export function scopeInWords(scope: string): string {
  const group = scopeGroups.find(({ scopes }) => scopes.some((each) => each.scope === scope));
  const words = group?.scopes.find((each) => each.scope === scope)?.words.toLowerCase();
  return group ? `${group.name}, ${words} (${scope})` : scope;
}
