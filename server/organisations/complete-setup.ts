import { z } from "zod";
import { createUser } from "@/server/access/create-user";
import { admitLinkAttempt, forgiveLinkAttempt } from "@/server/access/link-limit";
import { findLink, redeemLink } from "@/server/access/one-time-link";
import { emailAddress, hashNewPassword, newPassword } from "@/server/access/password";
import { admitted } from "@/server/access/visitor";
import { DomainError } from "@/server/core/errors";
import { newId, noOrganisation } from "@/server/core/ids";
import { line } from "@/server/core/input";
import { visitorCommand } from "@/server/core/operation";
import { organisationView } from "./view";
import { addMember } from "./add-member";
import { organisationInput, writeOrganisation } from "./create";
import { lockSetup } from "./setup-lock";
import { slugOf } from "./slug";

/**
 * Creates the first organisation and its owner (contract section 13). Works once: the link is valid only while no user
 * exists. Leaves the first entries of the audit log.
 */
export const completeSetup = visitorCommand({
  name: "organisations.complete_setup",
  input: z.strictObject({
    token: z.string().max(200),
    organisationName: organisationInput.shape.name,
    slug: organisationInput.shape.slug.optional(),
    /** The browser's time zone. An unknown one is ignored, not refused. */
    timeZone: organisationInput.shape.timeZone.catch(undefined),
    name: line(200).default(""),
    email: emailAddress,
    password: newPassword,
  }),
  async prepare(visitor, { token, password, email, organisationName }) {
    admitLinkAttempt(visitor);
    await findLink(token, visitor.now, "setup");
    return hashNewPassword(password, { email, organisations: [organisationName] });
  },
  async run(visitor, tx, { token, organisationName, slug, timeZone, name, email }, passwordHash) {
    await lockSetup(tx);
    await redeemLink(tx, token, visitor.now, "setup");
    const [user] = await tx.sql(`SELECT 1 FROM users LIMIT 1`);
    if (user)
      throw new DomainError(
        "link_unusable",
        "This service is set up already. Sign in, or ask an owner for an invitation.",
      );
    const userId = newId("usr");
    const organisation = await writeOrganisation(admitted(visitor, tx, noOrganisation, userId), {
      name: organisationName,
      slug: slug ?? slugOf(organisationName),
      timeZone,
    });
    await createUser(tx, { id: userId, email, name, passwordHash, isVerified: false, now: visitor.now });
    await addMember(admitted(visitor, tx, organisation.id, userId), { userId, role: "owner" });
    forgiveLinkAttempt(visitor);
    return { organisation: organisationView(organisation), email };
  },
});
