import { z } from "zod";
import { ctxOf, type ConsoleSession } from "@/server/access/console-session";
import { requireLiveSession } from "@/server/access/session-stands";
import { actorStanding } from "@/server/access/standing";
import { audit } from "@/server/access/audit";
import { confirmPerson, retypedPassword } from "@/server/access/second-factor/confirm-person";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { personCommand, requireScope, requireStanding } from "@/server/core/operation";

/**
 * Stops requiring a second factor in the person's current organisation. Asks for their password again, so that an
 * unlocked screen or a stolen session cookie cannot weaken everybody's sign-in. Leaves an audit entry.
 *
 * @throws DomainError invalid_credentials; rate_limited; insufficient_scope; organisation_switched if the person has switched to
 * another organisation.
 */
export const makeSecondFactorOptional = personCommand({
  name: "organisations.make_second_factor_optional",
  input: z.strictObject({ organisationId: id("org"), password: retypedPassword }),
  async prepare(visitor, session: ConsoleSession, { organisationId, password }) {
    const ctx = ctxOf(session, visitor.requestId, visitor.now);
    if (ctx?.orgId !== organisationId)
      throw new DomainError(
        "organisation_switched",
        "You work in another organisation by now. Reload this page to go on there.",
      );
    requireScope(ctx, "settings:write");
    await confirmPerson(visitor, session, password);
    return ctx;
  },
  standing: requireLiveSession,
  async run(_, tx, __, ___, ctx) {
    // The role may have changed while the password was hashed.
    await requireStanding(
      (tx, { orgId, actor }, now) => actorStanding(tx, orgId, actor, now),
      "settings:write",
      { ...ctx, tx },
      undefined,
    );
    const changed = await tx.sql(
      `UPDATE organisations SET require_second_factor = false, updated_at = $2 WHERE id = $1 AND require_second_factor RETURNING 1`,
      [ctx.orgId, ctx.now],
    );
    if (changed.length > 0)
      await audit({ ...ctx, tx }, "organisation.second_factor_optional", {
        type: "organisation",
        id: publicId("org", ctx.orgId),
      });
    return { required: false };
  },
});
