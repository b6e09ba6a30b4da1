import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { templateColumns, type TemplateRow } from "./view";

interface NewTemplate {
  id: Id<"tpl">;
  name: string;
  kind: string;
  slug: string | undefined;
  repeatable: boolean;
  confirmName: boolean;
  metadata: Record<string, unknown>;
}

/**
 * Inserts a template without a version. If no slug was sent, makes one from the name and adds a number if it is taken.
 */
export async function insertTemplate(ctx: TxCtx, template: NewTemplate): Promise<TemplateRow> {
  const base = template.slug ?? slugOf(template.name);
  let wanted = base;
  for (;;) {
    const [row] = await ctx.tx.sql<TemplateRow>(
      `INSERT INTO templates (org_id, id, name, kind, slug, repeatable, confirm_name, metadata, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $8, $9, merge_attributes('{}', $7), $6, $6)
       ON CONFLICT (org_id, slug) DO NOTHING RETURNING ${templateColumns}`,
      [
        ctx.orgId,
        template.id,
        template.name,
        template.kind,
        wanted,
        ctx.now,
        template.metadata,
        template.repeatable,
        template.confirmName,
      ],
    );
    if (row) return row;
    if (template.slug !== undefined) throw slugTaken(template.slug);
    // The loop repeats only if another request takes the same slug in the meantime.
    wanted = await nextNumbered(ctx, base);
  }
}

/**
 * Returns the slug with a number: one more than the highest number in use whose successor is free. That slug is free
 * now, so an insert of it fails only if another request takes it first. Suffixes of more than eight digits are ignored,
 * since they were not made here. Nine digits still fit after the longest slug that is made from a name.
 */
async function nextNumbered(ctx: TxCtx, base: string): Promise<string> {
  const [row] = await ctx.tx.sql<{ n: number }>(
    `SELECT coalesce(max(n), 1) + 1 AS n
     FROM (SELECT substr(slug, length($2) + 2)::int AS n FROM templates WHERE org_id = $1 AND slug ~ ('^' || $2 || '-[0-9]{1,8}$')) numbered
     WHERE NOT EXISTS (SELECT FROM templates WHERE org_id = $1 AND slug = $2 || '-' || (n + 1))`,
    [ctx.orgId, base],
  );
  return `${base}-${row!.n}`;
}

export function slugTaken(slug: string): DomainError {
  return new DomainError(
    "slug_taken",
    `The slug ${JSON.stringify(slug)} belongs to another template of this organisation. Choose another.`,
  );
}

function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 52).replaceAll(/^-+|-+$/g, "") || "template";
}
