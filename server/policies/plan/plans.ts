import type { Query } from "@/server/core/db";
import type { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { regionOf } from "@/server/organisations/region";
import type { Clock } from "@/server/rules/times";
import type { PolicyConfig } from "../config";
import { currentTemplate } from "../references";
import { renewalProblem } from "../renewal";
import { PolicySql } from "./people";

interface Planned {
  orgId: Id<"org">;
  policyId: Id<"pol">;
  config: PolicyConfig;
  /** The rule's relative times refer to this time. */
  now: Date;
}

export interface Plans {
  clock: Clock;
  /** Why the template issues nothing now; null if it issues. */
  refusal: DomainError | null;
  /** Begins a statement. */
  fresh(): PolicySql;
}

/**
 * Reads what previews, explanations and runs need from the organisation and the template, so that all three agree. A policy
 * extends nothing if the current template gives no duration (docs/decisions/427).
 */
export async function plansOf(sql: Query, { orgId, policyId, config, now }: Planned): Promise<Plans> {
  const { timeZone } = await regionOf(sql, orgId);
  const clock = { now, timeZone };
  const template = await currentTemplate(sql, orgId, config.templateId);
  const canExtend = config.renewal && "validity" in template && !renewalProblem(template, config.renewal);
  const planned = canExtend ? config : { ...config, renewal: null };
  return {
    clock,
    refusal: "refusal" in template ? template.refusal : null,
    fresh: () => new PolicySql(orgId, policyId, planned, clock),
  };
}
