import { audit } from "@/server/access/audit";
import { command } from "@/server/core/operation";
import { organisationInput } from "./create";
import { organisationColumns, organisationView, type OrganisationRow } from "./view";

/** Renames the organisation, as people read it. Its slug is part of addresses and stays. Leaves an audit entry. */
export const updateOrganisation = command({
  name: "organisations.update",
  scope: "settings:write",
  input: organisationInput.pick({ name: true }),
  async run(ctx, { name }) {
    const [row] = await ctx.tx.sql<OrganisationRow>(
      `UPDATE organisations SET name = $2, updated_at = $3 WHERE id = $1 RETURNING ${organisationColumns}`,
      [ctx.orgId, name, ctx.now],
    );
    await audit(ctx, "organisation.renamed", { type: "organisation", id: ctx.orgId }, { name });
    return organisationView(row!);
  },
});
