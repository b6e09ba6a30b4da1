import type { TxCtx } from "@/server/core/context";
import { DomainError, type InputIssue } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { loadVersion } from "@/server/templates/load";
import { requireStaticGroups } from "@/server/groups/named-groups";
import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";
import type { PolicyConfig } from "./config";

/**
 * Checks who is meant, and keeps the groups from being deleted until the transaction ends.
 * @returns the static groups that the rule names
 * @throws DomainError invalid_request with a pointer
 */
export async function requireMeant(
  ctx: TxCtx,
  { groupId, rule }: Pick<PolicyConfig, "groupId" | "rule">,
): Promise<Id<"grp">[]> {
  if ((groupId === null) === (rule === null))
    throw refused("/rule", "exclusive", "is needed, or groupId, and not both: they say who holds a credential");
  if (groupId !== null) {
    const [group] = await ctx.tx.sql(`SELECT id FROM groups WHERE org_id = $1 AND id = $2 FOR KEY SHARE`, [
      ctx.orgId,
      groupId,
    ]);
    if (!group) throw refused("/groupId", "not_found", "is no group of this organisation");
  }
  return rule ? requireStaticGroups(ctx, rule) : [];
}

/**
 * Checks that the template issues, and that its credentials can be extended where the policy is to.
 * @throws DomainError invalid_request with a pointer; template_not_published, template_archived
 */
export async function requireTemplate(
  ctx: TxCtx,
  { templateId, renewal }: Pick<PolicyConfig, "templateId" | "renewal">,
): Promise<void> {
  const template = await currentTemplate(ctx, templateId);
  if (!renewal || (template.kind !== "academic" && template.validity.type === "duration")) return;
  throw refused(
    "/renewal",
    "not_supported",
    template.kind === "academic"
      ? "is not for academic credentials, which are never extended"
      : "needs a template with a validity of type duration, by which a credential is extended",
  );
}

/**
 * The kind and validity of what is issued from a template now.
 * @throws DomainError invalid_request, template_not_published, template_archived
 */
export async function currentTemplate(
  ctx: TxCtx,
  templateId: Id<"tpl">,
): Promise<{ kind: TemplateKind; validity: Validity }> {
  const [template] = await ctx.tx.sql<{ kind: TemplateKind; status: string; current_version: number | null }>(
    `SELECT kind, status, current_version FROM templates WHERE org_id = $1 AND id = $2 FOR KEY SHARE`,
    [ctx.orgId, templateId],
  );
  if (!template) throw refused("/templateId", "not_found", "is no template of this organisation");
  if (template.status === "archived")
    throw new DomainError(
      "template_archived",
      "Nothing is issued from an archived template. Publish a version of it, or bring one back.",
    );
  if (template.current_version === null)
    throw new DomainError("template_not_published", "The template has no published version. Publish one first.");
  const { validity } = await loadVersion(ctx, templateId, template.current_version);
  return { kind: template.kind, validity };
}

const refused = (pointer: string, code: InputIssue["code"], message: string) =>
  invalidInput([{ pointer, code, message }]);
