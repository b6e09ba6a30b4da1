import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { anyScope } from "@/server/core/scopes";
import { organisationColumns, organisationTag, organisationView, type OrganisationRow } from "./view";

/** Returns the organisation of the context. Any scope is sufficient, because all of it is public. */
export const getOrganisation = query({
  name: "organisations.get",
  scope: anyScope,
  input: z.strictObject({}),
  tag: organisationTag,
  async run(ctx) {
    const [row] = await reading(ctx).sql<OrganisationRow>(
      `SELECT ${organisationColumns} FROM organisations WHERE id = $1`,
      [ctx.orgId],
    );
    return organisationView(row!);
  },
});
