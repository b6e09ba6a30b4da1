/** A row of organisations, as raw SQL returns it. */
export interface OrganisationRow {
  id: string;
  name: string;
  slug: string;
  created_at: Date;
  updated_at: Date;
}

export const organisationColumns = "id, name, slug, created_at, updated_at";

export function organisationView(row: OrganisationRow) {
  return {
    id: row.id,
    object: "organisation" as const,
    name: row.name,
    slug: row.slug,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
