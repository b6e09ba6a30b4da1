import { isDeepStrictEqual } from "node:util";
import type { Id } from "@/server/core/ids";
import type { Rule } from "@/server/rules/rule";

/** What a run does: a copy of the policy at the time of the request. Changing the policy does not change the run. */
export interface PolicyConfig {
  templateId: Id<"tpl">;
  /** Exactly one of group and rule is set. */
  groupId: Id<"grp"> | null;
  rule: Rule | null;
  onExit: "suspend" | "revoke" | "none";
  reentry: "resume" | "reissue";
  graceDays: number;
  blastRadius: { percent: number; count: number };
  /** How long before its expiry a credential is extended, such as 30d. */
  renewal: { before: string } | null;
}

/** The columns of a policy that are copied into a run. */
interface ConfigRow {
  template_id: PolicyConfig["templateId"];
  group_id: PolicyConfig["groupId"];
  rule: PolicyConfig["rule"];
  on_exit: PolicyConfig["onExit"];
  reentry: PolicyConfig["reentry"];
  grace_days: PolicyConfig["graceDays"];
  blast_radius: PolicyConfig["blastRadius"];
  renewal: PolicyConfig["renewal"];
}

export const configOf = (row: ConfigRow): PolicyConfig => ({
  templateId: row.template_id,
  groupId: row.group_id,
  rule: row.rule,
  onExit: row.on_exit,
  reentry: row.reentry,
  graceDays: row.grace_days,
  blastRadius: row.blast_radius,
  renewal: row.renewal,
});

/** Whether a run's copy, which was read from JSON, is of the policy as it is. */
export const isSameConfig = (stored: PolicyConfig, config: PolicyConfig): boolean =>
  isDeepStrictEqual(stored, JSON.parse(JSON.stringify(config)));
