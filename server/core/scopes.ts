/** What a token or a person may do (contract section 3). */
export const scopes = [
  "subjects:read", "subjects:write",
  "groups:read", "groups:write",
  "credentials:read", "credentials:issue", "credentials:suspend", "credentials:revoke", "credentials:revoke_template",
  "templates:read", "templates:write",
  "achievements:read", "achievements:write",
  "connectors:read", "connectors:write", "connectors:run",
  "policies:read", "policies:write", "policies:apply", "policies:approve",
  "webhooks:read", "webhooks:write",
  "events:read",
  "scim",
  "verify",
] as const;

/** What only people in the console may hold. `members:owners` is to make, demote and remove owners. */
export const personScopes = ["members:read", "members:write", "members:owners", "keys:read", "keys:write", "settings:read", "settings:write", "audit:read"] as const;

export type TokenScope = (typeof scopes)[number];
export type Scope = TokenScope | (typeof personScopes)[number];

/** What a key or client made without a choice gets: everything but the approval that only a person gives. */
export const defaultTokenScopes: readonly TokenScope[] = scopes.filter((s) => s !== "policies:approve");
