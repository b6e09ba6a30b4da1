import { createPasswordReset } from "@/server/access/create-password-reset";
import { disableUser } from "@/server/access/disable-user";
import { enableUser } from "@/server/access/enable-user";
import { endUserSessions } from "@/server/access/end-user-sessions";
import { resetSecondFactor } from "@/server/access/second-factor/reset-second-factor";
import { roles, type Role } from "@/server/access/roles";
import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { createSetupLink } from "@/server/organisations/create-setup-link";
import { deleteUser } from "@/server/organisations/delete-user";
import { inviteMember } from "@/server/organisations/invite-member";
import { define, operator, orgOption, Usage } from "./command";

const setUpAlready =
  "This service is set up already: there is an organisation. Invite its owner with: user create --org … --email … --role owner";

export const setupLink = define({
  about: "Makes the link with which the first person sets this service up. An earlier one ends.",
  options: {},
  async run() {
    const link = await createSetupLink(await operator(), {});
    return link ? { url: link.url } : { url: null, message: setUpAlready };
  },
  say: ({ url }) => (url === null ? setUpAlready : `Set this service up: ${url}`),
  refused: ({ url }) => url === null,
});

export const userCreate = define({
  about: "Invites a person, with a link that works once.",
  options: {
    ...orgOption,
    email: { about: "their e-mail address", required: true },
    role: { about: roles.join(", "), required: true },
  },
  async run({ org, email, role }) {
    if (!(roles as readonly string[]).includes(role!))
      throw new Usage(`No such role: ${role}. The roles are: ${roles.join(", ")}.`);
    const { url, expiresAt } = await inviteMember(await operator(org), { email: email!, role: role as Role });
    return { email: email!, url: url!, expiresAt };
  },
  say: ({ email, url, expiresAt }) => `${email} joins with this link, once, until ${expiresAt}:\n${url}`,
});

export const userList = define({
  about: "Lists the accounts of all organisations, or those of one, with their roles and whether they are disabled.",
  options: { org: { about: "only its members: the organisation's id or slug" } },
  async run({ org }) {
    const { orgId } = await operator(org);
    const accounts = await sql<Account>(
      `SELECT u.id, u.email, u.name, u.created_at AS "createdAt", u.disabled_at AS "disabledAt", coalesce(held.memberships, '[]') AS memberships
       FROM users u CROSS JOIN LATERAL (
         SELECT jsonb_agg(jsonb_build_object('organisation', o.slug, 'role', m.role) ORDER BY o.slug) AS memberships, bool_or(m.org_id = $1) AS is_member
         FROM memberships m JOIN organisations o ON o.id = m.org_id WHERE m.user_id = u.id
       ) held WHERE $2 OR held.is_member ORDER BY u.email`,
      [orgId, org === undefined],
    );
    return accounts.map((account) => ({ ...account, id: publicId("usr", account.id) }));
  },
  say: (people) =>
    people
      .map(({ id, email, name, disabledAt, memberships }) =>
        [
          id,
          email,
          name,
          memberships.map(({ organisation, role }) => `${organisation}: ${role}`).join(", ") || "in no organisation",
          ...(disabledAt ? ["(disabled)"] : []),
        ].join("  "),
      )
      .join("\n") || "There is no account.",
});

interface Account {
  id: Id<"usr">;
  email: string;
  name: string;
  createdAt: Date;
  disabledAt: Date | null;
  memberships: { organisation: string; role: Role }[];
}

export const userResetPassword = define({
  about: "Makes a link with which a person chooses a new password. Ends their sessions once used.",
  options: { email: { about: "their e-mail address", required: true } },
  run: async ({ email }) => createPasswordReset(await operator(), { email: email! }),
  say: ({ email, url, expiresAt }) =>
    `${email} chooses a new password with this link, once, until ${expiresAt}:\n${url}`,
});

export const userResetSecondFactor = define({
  about: "Removes a person's second factors and recovery codes, where they lost them. Ends their sessions.",
  options: { email: { about: "their e-mail address", required: true } },
  run: async ({ email }) => resetSecondFactor(await operator(), { email: email! }),
  say: ({ email, authenticatorApps, passkeys }) =>
    authenticatorApps + passkeys === 0
      ? `${email} had no second factor.`
      : `Removed the second factors of ${email}: ${authenticatorApps} authenticator app, ${passkeys} passkeys. They sign in with their password alone now.`,
});
const emailOption = { email: { about: "their e-mail address", required: true } };

export const sessionEnd = define({
  about: "Ends every session of a person, on all devices.",
  options: emailOption,
  run: async ({ email }) => endUserSessions(await operator(), { email: email! }),
  say: ({ email }) => `${email} is signed out everywhere, from the next request on.`,
});

export const userDisable = define({
  about:
    "Disables an account: it signs in nowhere, its sessions end and the jobs that it queued stop. Keys that it made keep working.",
  options: emailOption,
  run: async ({ email }) => disableUser(await operator(), { email: email! }),
  say: ({ email, withoutOwner }) =>
    [
      `${email} can sign in nowhere any more. Let them in again with: user enable --email ${email}`,
      ...withoutOwner.map(
        (slug) =>
          `Warning: no owner of ${slug} can sign in now. Give it one with: user create --org ${slug} --role owner --email …`,
      ),
    ].join("\n"),
});

export const userEnable = define({
  about: "Lets a disabled account sign in again.",
  options: emailOption,
  run: async ({ email }) => enableUser(await operator(), { email: email! }),
  say: ({ email }) => `${email} can sign in again.`,
});

export const userDelete = define({
  about: "Deletes an account and its memberships. What it did stays in the audit logs.",
  options: { ...emailOption, "revoke-access": { about: "yes to revoke the keys and OAuth clients that it made, too" } },
  async run({ email, "revoke-access": revoke = "no" }) {
    if (revoke !== "yes" && revoke !== "no") throw new Usage("--revoke-access takes yes or no.");
    return deleteUser(await operator(), { email: email!, revokeAccess: revoke === "yes" });
  },
  say: ({ email, revoked }) =>
    `Deleted the account ${email}${revoked > 0 ? ` and revoked ${revoked} keys and clients that it made` : ""}.`,
});
