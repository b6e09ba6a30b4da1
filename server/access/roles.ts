import { personScopes, scopes, type Scope } from "@/server/core/scopes";

export const roles = ["owner", "admin", "issuer", "viewer"] as const;
export type Role = (typeof roles)[number];

const reading = [...scopes, ...personScopes].filter((s) => s.endsWith(":read"));

/** The scopes of each role. Tokens use the same scopes (contract section 3). */
export const roleScopes: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set([...scopes, ...personScopes]),
  admin: new Set([...scopes, ...personScopes.filter((s) => s !== "members:owners")]),
  issuer: new Set<Scope>([
    "subjects:read",
    "subjects:write",
    "groups:read",
    "groups:write",
    "credentials:read",
    "credentials:issue",
    "credentials:suspend",
    "credentials:revoke",
    "templates:read",
    "achievements:read",
    "connectors:read",
    "policies:read",
    "events:read",
    "verify",
  ]),
  viewer: new Set<Scope>([...reading.filter((s) => s !== "keys:read" && s !== "audit:read"), "verify"]),
};
