import { sql } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { confirmOrganisationName } from "@/server/organisations/confirm-name";
import { createOrganisation } from "@/server/organisations/create";
import { limitOrganisation } from "@/server/organisations/limit";
import { resumeOrganisation } from "@/server/organisations/resume";
import { slugOf } from "@/server/organisations/slug";
import { suspendOrganisation } from "@/server/organisations/suspend";
import { define, operator, orgOption, Usage } from "./command";

export const orgCreate = define({
  about: "Makes an organisation.",
  options: {
    name: { about: "its name", required: true },
    slug: { about: "its short name in addresses; made from the name if left out" },
  },
  async run({ name, slug }) {
    const { id, slug: taken } = await createOrganisation(await operator(), {
      name: name!,
      slug: slug ?? slugOf(name!),
    });
    return { id, name: name!, slug: taken };
  },
  say: ({ id, slug }) => `Made the organisation ${slug} (${id}).`,
});

export const orgList = define({
  about: "Lists the organisations.",
  options: {},
  async run() {
    const rows = await sql<{
      id: Id<"org">;
      slug: string;
      name: string;
      nameConfirmed: boolean;
      suspendedAt: Date | null;
    }>(
      `SELECT id, slug, name, name IS NOT DISTINCT FROM confirmed_name AS "nameConfirmed", suspended_at AS "suspendedAt" FROM organisations ORDER BY id`,
    );
    return rows.map((row) => ({ ...row, id: publicId("org", row.id) }));
  },
  say: (rows) =>
    rows.length === 0
      ? "There is no organisation yet."
      : rows
          .map(
            (r) =>
              `${r.id}  ${r.slug}  ${r.name}${r.nameConfirmed ? "" : "  (name not confirmed)"}${r.suspendedAt ? "  (suspended)" : ""}`,
          )
          .join("\n"),
});

export const orgSuspend = define({
  about:
    "Suspends an organisation: its tokens and people are refused, its jobs and webhooks wait. Its credentials can still be verified.",
  options: orgOption,
  run: async ({ org }) => suspendOrganisation(await operator(org), {}),
  say: ({ id }) => `${id} is suspended. End it with: org resume --org ${id}`,
});

export const orgResume = define({
  about: "Ends the suspension of an organisation. What waited goes on.",
  options: orgOption,
  run: async ({ org }) => resumeOrganisation(await operator(org), {}),
  say: ({ id }) => `${id} is no longer suspended.`,
});

export const orgConfirmName = define({
  about:
    "Confirms the name that an organisation gave itself since you made it. Verifications say whether it is confirmed.",
  options: orgOption,
  run: async ({ org }) => confirmOrganisationName(await operator(org), {}),
  say: ({ id, name }) => `${id} bears the name ${name}; verifications say that it is confirmed.`,
});

export const orgLimit = define({
  about: "Limits the requests of each token of an organisation.",
  options: {
    ...orgOption,
    "requests-per-minute": { about: "a number, 0 for no limit, or default for RATE_LIMIT_TOKEN", required: true },
  },
  async run({ org, "requests-per-minute": wanted }) {
    if (!/^(default|\d{1,7})$/.test(wanted!))
      throw new Usage("--requests-per-minute takes a number from 0 (no limit) to 9999999, or the word default.");
    return limitOrganisation(await operator(org), { requestsPerMinute: wanted === "default" ? null : Number(wanted) });
  },
  say: ({ id, requestsPerMinute }) =>
    `${id}: ${requestsPerMinute === null ? "the default limit" : requestsPerMinute === 0 ? "no limit" : `${requestsPerMinute} requests a minute a token`}.`,
});
