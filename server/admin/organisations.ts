import { sql } from "@/server/core/db";
import { createOrganisation } from "@/server/organisations/create";
import { slugOf } from "@/server/organisations/slug";
import { define, operator } from "./command";

export const orgCreate = define({
  about: "Makes an organisation.",
  options: { name: { about: "its name", required: true }, slug: { about: "its short name in addresses; made from the name if left out" } },
  async run({ name, slug }) {
    const { id, slug: taken } = await createOrganisation(await operator(), { name: name!, slug: slug ?? slugOf(name!) });
    return { id, name: name!, slug: taken };
  },
  say: ({ id, slug }) => `Made the organisation ${slug} (${id}).`,
});

export const orgList = define({
  about: "Lists the organisations.",
  options: {},
  run: () => sql<{ id: string; slug: string; name: string }>(`SELECT id, slug, name FROM organisations ORDER BY id`),
  say: (rows) => (rows.length === 0 ? "There is no organisation yet." : rows.map((r) => `${r.id}  ${r.slug}  ${r.name}`).join("\n")),
});
