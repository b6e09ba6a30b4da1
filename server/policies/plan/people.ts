import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { compileRule } from "@/server/rules/compile";
import type { Rule } from "@/server/rules/rule";
import { momentOf, type Clock } from "@/server/rules/times";
import type { PolicyConfig } from "../config";

const dayMs = 86_400_000;

/**
 * Builds the SQL that decides what a policy does for each person. Each person and credential is looked up by its
 * whole key (OFFSET 0), which leaves PostgreSQL one plan, even without statistics of the organisation (decision 143). `$1`
 * is the organisation. Send the statements unprepared, because each rule has its own.
 */
export class PolicySql {
  readonly values: unknown[];

  constructor(
    orgId: Id<"org">,
    readonly policyId: Id<"pol">,
    readonly config: PolicyConfig,
    readonly clock: Clock,
  ) {
    this.values = [orgId];
  }

  readonly parameter = (value: unknown): string => `$${this.values.push(value)}`;

  /** SQL: whether the active person `s` matches the rule or is in the group. */
  matches(): string {
    return `(s.status = 'active' AND s.erased_at IS NULL AND (${this.#member()}))`;
  }

  /**
   * SQL: whether the person `s` should hold a credential. An exception wins over the rule, but not over an inactive status.
   * Each statement checks once whether the policy has exceptions.
   */
  wanted(): string {
    const of = `FROM policy_exceptions e WHERE e.org_id = ${opaque("$1")} AND e.policy_id = ${this.#policy()}`;
    return `(s.status = 'active' AND s.erased_at IS NULL AND CASE WHEN EXISTS (SELECT ${of} OFFSET 0) THEN coalesce((
      SELECT e.effect = 'grant' ${of} AND e.subject_id = s.id AND (e.until IS NULL OR e.until > ${this.#now()}) OFFSET 0
    ), (${this.#member()})) ELSE (${this.#member()}) END)`;
  }

  /** SQL: the effect of the exception of the person with this id: grant, deny, or ended; NULL if there is none. */
  exceptionOf(subjectId: string): string {
    return `(SELECT CASE WHEN e.until <= ${this.#now()} THEN 'ended' ELSE e.effect END FROM policy_exceptions e
      WHERE e.org_id = ${opaque("$1")} AND e.policy_id = ${this.#policy()} AND e.subject_id = ${subjectId} OFFSET 0)`;
  }

  /**
   * SQL: subject_id, credential_id and action for everybody who should hold a credential: issue, confirming, keep,
   * foreign, renew, resume or blocked. Confirming are those who were asked to confirm their name and have not yet. For an issue, credential_id is the suspended credential that the new one replaces. A credential
   * that another policy suspended is resumed or replaced too, and then belongs to this policy (docs/decisions/426). For
   * a repeatable template, credentials issued by people and by the API are ignored (docs/decisions/407).
   */
  grants({ after, to }: { after?: string; to?: string } = {}): string {
    return `SELECT s.id AS subject_id, s.external_id, s.display_name, held.id AS credential_id, ${this.#action()} AS action
    FROM subjects s
    LEFT JOIN LATERAL (
      SELECT ${this.#heldColumns()} FROM credentials c WHERE c.org_id = ${opaque("$1")} AND c.subject_id = s.id AND ${this.#isHeld()} OFFSET 0
    ) held ON true
    LEFT JOIN LATERAL (
      SELECT ${asks} FROM (SELECT * FROM name_confirmations WHERE org_id = ${opaque("$1")} AND subject_id = s.id OFFSET 0) n WHERE ${this.#isAsk()}
    ) asked ON true
    LEFT JOIN LATERAL (
      SELECT ${endedByPerson} AS by_person, c.issued_at
      FROM (SELECT * FROM credentials WHERE org_id = ${opaque("$1")} AND subject_id = s.id OFFSET 0) c
      WHERE held.id IS NULL AND c.template_id = ${this.#template()} AND c.exclusive
      ORDER BY c.id DESC LIMIT 1
    ) ended ON true
    WHERE s.org_id = $1 AND ${this.wanted()}${after === undefined ? "" : ` AND s.id > ${this.parameter(after)}::uuid`}${to === undefined ? "" : ` AND s.id <= ${this.parameter(to)}::uuid`}`;
  }

  /**
   * SQL: each action with the number of people, and the credentials that it ends, of the whole organisation. Agrees with
   * grants, exits and graces, and reads people and the template's credentials once, for hash joins, in a quarter of the
   * time of a look-up for each person (docs/decisions/505). Disable nested loops and sorts for this statement.
   */
  outcomes(): string {
    const { onExit, graceDays } = this.config;
    const states = onExit === "revoke" ? "'pending', 'active', 'suspended'" : "'active'";
    const leave =
      graceDays === 0 ? `'${onExit}'` : `CASE WHEN ${this.#lapsed(true, "s.id")} THEN '${onExit}' ELSE 'grace' END`;
    return `WITH held AS MATERIALIZED (
      SELECT ${this.#heldColumns()}, c.subject_id FROM credentials c WHERE c.org_id = $1 AND ${this.#isHeld()}
    ), ended AS MATERIALIZED (
      SELECT DISTINCT ON (c.subject_id) c.subject_id, ${endedByPerson} AS by_person, c.issued_at
      FROM credentials c WHERE c.org_id = $1 AND c.template_id = ${this.#template()} AND c.exclusive AND NOT (${this.#isHeld()})
      ORDER BY c.subject_id, c.id DESC
    ), asked AS MATERIALIZED (
      SELECT n.subject_id, ${asks} FROM name_confirmations n WHERE n.org_id = $1 AND ${this.#isAsk()} GROUP BY n.subject_id
    )
    SELECT action, count(*) AS n, array_agg(credential_id) FILTER (WHERE action IN ('suspend', 'revoke')) AS ended
    FROM (
      SELECT held.id AS credential_id, CASE WHEN s.is_wanted THEN ${this.#action()} ELSE ${leave} END AS action
      FROM (SELECT s.id, ${this.wanted()} IS TRUE AS is_wanted FROM subjects s WHERE s.org_id = $1 OFFSET 0) s
      LEFT JOIN held ON held.subject_id = s.id LEFT JOIN ended ON ended.subject_id = s.id LEFT JOIN asked ON asked.subject_id = s.id
      WHERE s.is_wanted OR held.own AND held.state IN (${states}) AND ${onExit !== "none"}
    ) each GROUP BY action`;
  }

  /**
   * SQL: what the policy does for a person. Reads `held` (live credential), `ended` (last credential) and `asked`
   * (requests to confirm the name).
   */
  #action(): string {
    const { renewal, reentry } = this.config;
    const renew = renewal
      ? `WHEN held.state = 'active' AND NOT held.expiry_explicit AND held.expires_at <= ${this.parameter(momentOf(`now+${renewal.before}`, this.clock).instant)}::timestamptz THEN 'renew'`
      : "";
    const issue = (since: string) =>
      `CASE WHEN asked.is_asked THEN 'confirming' WHEN asked.refused_at > coalesce(${since}, '-infinity') THEN 'blocked' ELSE 'issue' END`;
    return `CASE WHEN held.id IS NULL THEN CASE WHEN ended.by_person THEN 'blocked' ELSE ${issue("ended.issued_at")} END
        WHEN held.state = 'suspended' THEN CASE WHEN held.suspended_by_policy THEN ${reentry === "resume" ? "'resume'" : issue("held.suspended_at")} ELSE 'blocked' END
        WHEN NOT held.own THEN 'foreign' ${renew} ELSE 'keep' END`;
  }

  #heldColumns = () =>
    `c.id, c.state, c.suspended_at, c.expires_at, c.expiry_explicit, c.suspended_by_policy, c.source_type = 'policy' AND c.source_id = ${this.#source()} AS own`;
  /** SQL: whether `n` asks its holder to confirm the name for a credential of the template. */
  #isAsk = () => `n.template_id = ${this.#template()} AND n.exclusive`;
  /** SQL: whether `c` is a live credential of the template. A person has at most one. */
  #isHeld = () =>
    `c.template_id = ${this.#template()} AND c.exclusive AND c.state IN ('pending', 'active', 'suspended') AND ${this.#unexpired()}`;

  /**
   * SQL: subject_id, credential_id and action for the policy's own credentials whose holder should no longer hold one and
   * has no grace left. With `grace: false`, also for those whose grace has not begun.
   */
  exits({ after, grace = true }: { after?: string; grace?: boolean } = {}): string {
    const { onExit, graceDays } = this.config;
    return this.#leaving(onExit, graceDays === 0 ? "true" : this.#lapsed(grace), after);
  }

  /** SQL: the same columns for everybody in grace, with the action grace, including those whose grace a run would begin now. */
  graces({ after }: { after?: string } = {}): string {
    return this.#leaving("grace", this.config.graceDays === 0 ? "false" : `NOT ${this.#lapsed(true)}`, after);
  }

  /** SQL: the ids of the policy's own requests to confirm a name, of people up to `to` who should not hold a credential. */
  unwantedAsks({ after, to }: { after: string; to: string }): string {
    return `SELECT n.id FROM name_confirmations n
    CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND id = n.subject_id OFFSET 0) s
    WHERE n.org_id = $1 AND ${this.#isAsk()} AND n.state = 'waiting' AND n.source_type = 'policy' AND n.source_id = ${this.#source()}
      AND n.subject_id > ${this.parameter(after)}::uuid AND n.subject_id <= ${this.parameter(to)}::uuid AND ${this.wanted()} IS NOT TRUE`;
  }

  /** SQL: when the grace of the person with this id began, or NULL. */
  lapsedSince(subjectId: string): string {
    return `(SELECT l.since FROM policy_lapses l WHERE l.org_id = ${opaque("$1")} AND l.policy_id = ${this.#policy()} AND l.subject_id = ${subjectId} OFFSET 0)`;
  }

  /** The end of a grace that began at `since`, or that begins now. */
  graceUntil(since: Date | null): Date {
    return new Date((since ?? this.clock.now).getTime() + this.config.graceDays * dayMs);
  }

  #leaving(action: string, condition: string, after: string | undefined): string {
    const { onExit } = this.config;
    return `SELECT c.subject_id, s.external_id, s.display_name, c.id AS credential_id, '${action}' AS action
    FROM credentials c
    CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND id = c.subject_id OFFSET 0) s
    WHERE c.org_id = $1 AND c.source_type = 'policy' AND c.source_id = ${this.#source()} AND c.template_id = ${this.#template()}
      AND c.state IN (${onExit === "revoke" ? "'pending', 'active', 'suspended'" : "'active'"}) AND ${onExit !== "none"} AND ${this.#unexpired()}
      AND ${this.wanted()} IS NOT TRUE AND ${condition}${after === undefined ? "" : ` AND c.subject_id > ${this.parameter(after)}::uuid`}`;
  }

  /** SQL: whether the person with this id has no grace left; with `grace` false, also whether it has not begun. */
  #lapsed(grace: boolean, subjectId = "c.subject_id"): string {
    const since = new Date(this.clock.now.getTime() - this.config.graceDays * dayMs);
    const lapse = `SELECT FROM policy_lapses l WHERE l.org_id = ${opaque("$1")} AND l.policy_id = ${this.#policy()} AND l.subject_id = ${subjectId}`;
    const over = `EXISTS (${lapse} AND l.since <= ${this.parameter(since)}::timestamptz OFFSET 0)`;
    return grace ? over : `(${over} OR NOT EXISTS (${lapse} OFFSET 0))`;
  }

  #member(): string {
    const { groupId, rule } = this.config;
    if (rule) return compileRule(rule as Rule, this.clock, this.parameter);
    return `EXISTS (SELECT FROM group_members m WHERE m.org_id = ${opaque("$1")} AND m.group_id = ${this.parameter(groupId)}::uuid AND m.subject_id = s.id OFFSET 0)`;
  }

  #unexpired = () => `(c.expires_at IS NULL OR c.expires_at > ${this.#now()})`;
  #now = () => `${this.parameter(this.clock.now)}::timestamptz`;
  #policy = () => `${this.parameter(this.policyId)}::uuid`;
  #source = () => `${this.parameter(publicId("pol", this.policyId))}::text`;
  #template = () => `${this.parameter(this.config.templateId)}::uuid`;
}

/**
 * SQL: whether a person or the API ended the credential `c`, set its expiry, or suspended it before it expired. A removal by
 * a policy is recognised by its time, which equals that of the revocation.
 */
const endedByPerson = `c.suspended_at IS NOT NULL AND NOT c.suspended_by_policy OR CASE c.state
        WHEN 'revoked' THEN NOT EXISTS (SELECT FROM policy_removals r WHERE r.org_id = ${opaque("$1")} AND r.credential_id = c.id AND r.applied_at = c.revoked_at OFFSET 0)
        ELSE c.source_type = 'policy' AND c.expiry_explicit END`;

/**
 * SQL: whether a request to confirm the name waits, and when a person or the API last cancelled one, which means that
 * nothing is to be issued (docs/decisions/581). A policy and the holder cancel one only because a rule no longer matches.
 */
const asks = `bool_or(n.state = 'waiting') AS is_asked,
        max(n.decided_at) FILTER (WHERE n.state = 'cancelled' AND n.decided_by ->> 'type' NOT IN ('job', 'public')) AS refused_at`;

/** The arguments that follow a statement's text: its values, and that it is sent unprepared. Build the text first. */
export const sent = ({ values }: PolicySql): [unknown[], false] => [values, false];

/** Formats a number for a sentence. */
export const plain = (n: number): string => n.toLocaleString("en");
