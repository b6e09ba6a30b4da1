import type { TxCtx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import { DomainError, type InputIssue } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { requireStaticGroups } from "@/server/groups/named-groups";
import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";
import type { PolicyConfig } from "./config";
import { renewalProblem } from "./renewal";

/**
 * Checks the rule or group, and locks the groups that it names, so that none is deleted before the transaction ends.
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
 * Checks that credentials can be issued from the template, and extended if the policy has a renewal.
 * @throws DomainError invalid_request with a pointer; template_not_published, template_archived
 */
export async function requireTemplate(
  { tx, orgId }: TxCtx,
  { templateId, renewal }: Pick<PolicyConfig, "templateId" | "renewal">,
): Promise<void> {
  const template = await currentTemplate(tx.sql, orgId, templateId);
  if ("refusal" in template) throw template.refusal;
  const problem = renewal && renewalProblem(template, renewal);
  if (problem) throw refused(problem.pointer, "not_supported", problem.message);
}

/** The kind and validity of the credentials that a template issues now, or the reason why it issues none. */
export async function currentTemplate(
  sql: Query,
  orgId: Id<"org">,
  templateId: Id<"tpl">,
): Promise<{ kind: TemplateKind; validity: Validity } | { refusal: DomainError }> {
  const [template] = await sql<{ kind: TemplateKind; status: string; validity: Validity | null }>(
    `SELECT t.kind, t.status, v.validity FROM templates t
     LEFT JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = t.current_version
     WHERE t.org_id = $1 AND t.id = $2`,
    [orgId, templateId],
  );
  if (!template) return { refusal: refused("/templateId", "not_found", "is no template of this organisation") };
  const { kind, status, validity } = template;
  if (status === "archived")
    return {
      refusal: new DomainError(
        "template_archived",
        "Nothing is issued from an archived template. Publish a version of it, or bring one back.",
      ),
    };
  if (validity === null)
    return {
      refusal: new DomainError("template_not_published", "The template has no published version. Publish one first."),
    };
  return { kind, validity };
}

const refused = (pointer: string, code: InputIssue["code"], message: string) =>
  invalidInput([{ pointer, code, message }]);
