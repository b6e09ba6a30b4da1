/** What a token or a person may do (contract section 3). */
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

/** They let a held or halted run go on. */
const approvalScopes: readonly TokenScope[] = ["connectors:approve", "policies:approve"];

/** A token holds one of these only where a person who has it named it. */
export const namedScopes: readonly TokenScope[] = [...approvalScopes, "settings:write"];

/** What a token made without a choice gets. */
export const usualScopes: readonly TokenScope[] = scopes.filter((scope) => !namedScopes.includes(scope));

/** What only people in the console may hold. `members:owners` is to make, demote and remove owners. */
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

/** For what every token and every member may do: any one scope is enough. */
export const anyScope: readonly [Scope, ...Scope[]] = [...scopes, ...personScopes];
