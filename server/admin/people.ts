import { createPasswordReset } from "@/server/access/create-password-reset";
import { resetSecondFactor } from "@/server/access/second-factor/reset-second-factor";
import { roles, type Role } from "@/server/access/roles";
import { createSetupLink } from "@/server/organisations/create-setup-link";
import { inviteMember } from "@/server/organisations/invite-member";
import { define, operator, orgOption, Usage } from "./command";

export const setupLink = define({
  about: "Makes the link with which the first person sets this service up. An earlier one ends.",
  options: {},
  async run() {
    const link = await createSetupLink(await operator(), {});
    return { url: link?.url ?? null };
  },
  say: ({ url }) => (url ? `Set this service up: ${url}` : "This service is set up already: there is an organisation. Invite a person with: user create"),
});

export const userCreate = define({
  about: "Invites a person, with a link that works once.",
  options: { ...orgOption, email: { about: "their e-mail address", required: true }, role: { about: roles.join(", "), required: true } },
  async run({ org, email, role }) {
    if (!(roles as readonly string[]).includes(role!)) throw new Usage(`No such role: ${role}. The roles are: ${roles.join(", ")}.`);
    const { url, expiresAt } = await inviteMember(await operator(org), { email: email!, role: role as Role });
    return { email: email!, url, expiresAt };
  },
  say: ({ email, url, expiresAt }) => `${email} joins with this link, once, until ${expiresAt}:\n${url}`,
});

export const userResetPassword = define({
  about: "Makes a link with which a person chooses a new password. Ends their sessions once used.",
  options: { email: { about: "their e-mail address", required: true } },
  run: async ({ email }) => createPasswordReset(await operator(), { email: email! }),
  say: ({ email, url, expiresAt }) => `${email} chooses a new password with this link, once, until ${expiresAt}:\n${url}`,
});

export const userResetSecondFactor = define({
  about: "Removes a person's second factors and recovery codes, where they lost them. Ends their sessions.",
  options: { email: { about: "their e-mail address", required: true } },
  run: async ({ email }) => resetSecondFactor(await operator(), { email: email! }),
  say: ({ email, authenticatorApps, passkeys }) =>
    authenticatorApps + passkeys === 0 ? `${email} had no second factor.` : `Removed the second factors of ${email}: ${authenticatorApps} authenticator app, ${passkeys} passkeys. They sign in with their password alone now.`,
});
