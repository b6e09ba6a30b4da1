const below: Record<string, string> = {
  sub: "/subjects",
  grp: "/groups",
  crd: "/credentials",
  ach: "/achievements",
  tpl: "/templates",
  whe: "/webhooks",
  blk: "/jobs",
  con: "/connectors",
  pol: "/policies",
  clk: "/claims",
  phi: "/subjects/photo-imports",
};
const pages: Record<string, string> = {
  key: "/keys",
  ocl: "/keys/oauth",
  mem: "/members",
  inv: "/members",
  org: "/settings",
  ncf: "/credentials/names",
};
const owners = ["achievementId", "templateId", "credentialId", "endpointId"];

/**
 * Returns the console page for the record with this id. A record without a page of its own is shown on the page of what
 * it belongs to, which the known facts name.
 */
export function consoleHref(id: string, facts: Record<string, unknown> = {}): string | undefined {
  const prefix = id.slice(0, 3);
  if (below[prefix]) return `${below[prefix]}/${id}`;
  if (pages[prefix]) return pages[prefix];
  if (prefix === "run" && typeof facts["connectorId"] === "string")
    return `/connectors/${facts["connectorId"]}/runs/${id}`;
  if (prefix === "plr" && typeof facts["policyId"] === "string") return `/policies/${facts["policyId"]}/runs/${id}`;
  const owner = owners.map((name) => facts[name]).find((each) => typeof each === "string" && each !== id);
  return owner ? consoleHref(owner as string) : undefined;
}
