import { scopes, type TokenScope } from "@/server/core/scopes";

/** What each scope that an operation of the API requires is about. Scopes that no operation requires are left out. */
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

/** The scopes in use, by what they are about. */
export const scopesByArea: { name: string; some: TokenScope[] }[] = Object.entries(areas).map(([area, name]) => ({
  name,
  some: scopes.filter((scope) => scope.split(":")[0] === area),
}));
