import { createApiKey } from "@/server/access/create-api-key";
import { scopes, type TokenScope } from "@/server/core/scopes";
import { define, operator, orgOption, Usage } from "./command";

export const keyCreate = define({
  about: "Makes an API key. Its secret is shown this once.",
  options: {
    ...orgOption,
    name: { about: "what it is for", required: true },
    scopes: { about: "with commas between; without, all but policies:approve" },
  },
  async run({ org, name, scopes: wanted }) {
    const { id, secret } = await createApiKey(await operator(org), { name: name!, ...(wanted && { scopes: readScopes(wanted) }) });
    return { id, secret };
  },
  say: ({ id, secret }) => `Made the API key ${id}. Keep its secret now; it is not shown again:\n${secret}`,
});

/** @throws Usage naming what is no scope. */
export function readScopes(text: string): TokenScope[] {
  const wanted = text.split(",").map((s) => s.trim()).filter(Boolean);
  const unknown = wanted.filter((s) => !(scopes as readonly string[]).includes(s));
  if (unknown.length > 0 || wanted.length === 0) throw new Usage(`No such scope: ${unknown.join(", ") || text}. The scopes are: ${scopes.join(", ")}.`);
  return wanted as TokenScope[];
}
