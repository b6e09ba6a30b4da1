import { z } from "zod";
import { createUser } from "@/server/access/create-user";
import { findLink, redeemLink } from "@/server/access/one-time-link";
import { emailAddress, hashPassword, newPassword } from "@/server/access/password";
import { admitted, type Visitor } from "@/server/access/visitor";
import { transaction } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { line, parseInput } from "@/server/core/input";
import { addMember } from "./add-member";
import { createOrganisation, organisationInput } from "./create";
import { lockSetup } from "./setup-lock";
import { slugOf } from "./slug";

const setupInput = z.strictObject({
  token: z.string().max(200),
  organisationName: organisationInput.shape.name,
  slug: organisationInput.shape.slug.optional(),
  name: line(200).default(""),
  email: emailAddress,
  password: newPassword,
});

/**
 * Makes the first organisation and its owner (contract section 13). Works once: the link holds only while no user exists.
 * Leaves the first entries of the audit log.
 */
export async function completeSetup(visitor: Visitor, input: z.input<typeof setupInput>) {
  const { token, organisationName, slug, name, email, password } = parseInput(setupInput, input);
  await findLink(token, visitor.now, "setup");
  const passwordHash = await hashPassword(password);
  return transaction(async (tx) => {
    await lockSetup(tx);
    await redeemLink(tx, token, visitor.now, "setup");
    const [user] = await tx.sql(`SELECT 1 FROM users LIMIT 1`);
    if (user) throw new DomainError("link_unusable", "This service is set up already. Sign in, or ask an owner for an invitation.");
    const userId = newId("usr");
    const organisation = await createOrganisation(admitted(visitor, tx, "none", userId), {
      name: organisationName,
      slug: slug ?? slugOf(organisationName),
    });
    const ctx = admitted(visitor, tx, organisation.id, userId);
    await createUser(tx, { id: userId, email, name, passwordHash, now: visitor.now });
    await addMember(ctx, { userId, role: "owner" });
    return { organisation, email };
  });
}
