/** What a token or a person may do (contract section 3). A token made without a choice gets all of these. */
export const scopes = [
  "subjects:read", "subjects:write",
  "groups:read", "groups:write",
  "credentials:read", "credentials:issue", "credentials:suspend", "credentials:revoke", "credentials:revoke_template",
  "templates:read", "templates:write",
  "achievements:read", "achievements:write",
  "connectors:read", "connectors:write", "connectors:run",
  "policies:read", "policies:write", "policies:apply",
  "webhooks:read", "webhooks:write",
  "events:read",
  "scim",
  "verify",
] as const;

/** What only people in the console may hold. `policies:approve` lets a halted policy run go on; `members:owners` is to make, demote and remove owners. */
export const personScopes = ["policies:approve", "members:read", "members:write", "members:owners", "keys:read", "keys:write", "settings:read", "settings:write", "audit:read"] as const;

export type TokenScope = (typeof scopes)[number];
export type Scope = TokenScope | (typeof personScopes)[number];
