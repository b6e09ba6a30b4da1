import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { organisationColumns, organisationView, type OrganisationRow } from "./view";

/** The organisation of the context. */
export const getOrganisation = query({
  name: "organisations.get",
  scope: "settings:read",
  input: z.strictObject({}),
  async run(ctx) {
    const [row] = await reading(ctx).sql<OrganisationRow>(`SELECT ${organisationColumns} FROM organisations WHERE id = $1`, [ctx.orgId]);
    return organisationView(row!);
  },
});
