/** The scopes of tokens, which people have too (contract section 3). */
export const scopes = [
  "subjects:read",
  "subjects:write",
  "groups:read",
  "groups:write",
  "credentials:read",
  "credentials:issue",
  "credentials:suspend",
  "credentials:revoke",
  "credentials:revoke_template",
  "templates:read",
  "templates:write",
  "achievements:read",
  "achievements:write",
  "connectors:read",
  "connectors:write",
  "connectors:run",
  "connectors:approve",
  "policies:read",
  "policies:write",
  "policies:apply",
  "policies:approve",
  "webhooks:read",
  "webhooks:write",
  "events:read",
  "scim",
  "verify",
  "settings:write",
] as const;

/** The scopes that approve a held or halted run. */
const approvalScopes: readonly TokenScope[] = ["connectors:approve", "policies:approve"];

/** Scopes that a token has only if a person who has them requested them by name. */
export const namedScopes: readonly TokenScope[] = [...approvalScopes, "settings:write"];

/** The scopes of a token that is created without naming scopes. */
export const usualScopes: readonly TokenScope[] = scopes.filter((scope) => !namedScopes.includes(scope));

/** Scopes that only people in the console can have. `members:owners` allows adding, demoting and removing owners. */
export const personScopes = [
  "members:read",
  "members:write",
  "members:owners",
  "keys:read",
  "keys:write",
  "settings:read",
  "audit:read",
] as const;

export type TokenScope = (typeof scopes)[number];
export type Scope = TokenScope | (typeof personScopes)[number];

/** The demand of operations that every token and every member may use: any one scope is enough. */
export const anyScope: readonly [Scope, ...Scope[]] = [...scopes, ...personScopes];
