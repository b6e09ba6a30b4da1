import { scopes, type TokenScope } from "@/server/core/scopes";

/** Describes each scope that an operation of the API requires. Unused scopes are left out. */
const areas: Record<string, string> = {
  subjects: "People",
  groups: "Groups",
  achievements: "Achievements",
  templates: "Templates",
  credentials: "Credentials",
  connectors: "Connectors",
  policies: "Policies",
  verify: "Verification with a token",
  events: "The event log",
  webhooks: "Webhooks",
  settings: "Settings",
};

/** The scopes in use, grouped by subject. */
export const scopesByArea: { name: string; some: TokenScope[] }[] = Object.entries(areas).map(([area, name]) => ({
  name,
  some: scopes.filter((scope) => scope.split(":")[0] === area),
}));
