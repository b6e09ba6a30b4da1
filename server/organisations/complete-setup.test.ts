import { beforeAll, expect, it } from "vitest";
import { signIn } from "@/server/access/sign-in";
import { asId, newPublicId, noOrganisation } from "@/server/core/ids";
import { anyScope } from "@/server/core/scopes";
import { auditOf } from "@/server/testing/audit";
import { ownDatabase } from "@/server/testing/own-database";
import { password, tokenIn, visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { completeSetup } from "./complete-setup";
import { createOrganisation } from "./create";
import { createSetupLink } from "./create-setup-link";
import { inspectLink } from "./inspect-link";

beforeAll(ownDatabase);

const operator = {
  orgId: noOrganisation,
  actor: { type: "operator" as const, id: "cli" },
  scopes: new Set(anyScope),
  requestId: newPublicId("req"),
  now: new Date(),
};
const newToken = async () => tokenIn((await createSetupLink(operator, {}))!.url);
const form = {
  organisationName: "Universität Nordwind",
  email: " Owner@Example.EDU ",
  name: "Ada",
  password,
  timeZone: "Asia/Tokyo",
};

it("setup creates the first organisation and its owner once, even if the link is used concurrently", async () => {
  const earlier = await Promise.all([newToken(), newToken(), newToken()]);
  const latest = await newToken();
  for (const token of earlier)
    await expect(inspectLink(visitor(), { token })).rejects.toMatchObject({ code: "link_unusable" });
  const tokens = [latest];
  expect(await inspectLink(visitor(), { token: tokens[0]! })).toMatchObject({ purpose: "setup", email: null });

  await expect(completeSetup(visitor(), { ...form, token: tokens[0]!, password: "short" })).rejects.toMatchObject({
    code: "invalid_request",
  });
  const late = visitor(new Date(Date.now() + 8 * 86_400_000));
  await expect(completeSetup(late, { ...form, token: tokens[0]! })).rejects.toMatchObject({ code: "link_unusable" });

  const attempts = await Promise.allSettled(
    [latest, latest, latest].map((token) => completeSetup(visitor(), { ...form, token })),
  );
  expect(attempts.filter((a) => a.status === "fulfilled")).toHaveLength(1);
  for (const attempt of attempts)
    if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "link_unusable" });

  const organisations = await sql<{ id: string; slug: string; time_zone: string }>(
    `SELECT id, slug, time_zone FROM organisations`,
  );
  expect(organisations).toMatchObject([{ slug: "universitat-nordwind", time_zone: "Asia/Tokyo" }]);
  expect(await sql(`SELECT email, name, role FROM users JOIN memberships ON user_id = users.id`)).toEqual([
    { email: "owner@example.edu", name: "Ada", role: "owner" },
  ]);
  expect(await auditOf(asId(organisations[0]!.id))).toEqual(["organisation.created", "member.joined"]);
  expect(await signIn(visitor(), { email: "OWNER@example.edu", password })).toMatchObject({
    orgId: organisations[0]!.id,
  });

  expect(await createSetupLink(operator, {})).toBeNull();
  for (const token of tokens)
    await expect(completeSetup(visitor(), { ...form, token })).rejects.toMatchObject({ code: "link_unusable" });
});

it("no setup link is created once there is an organisation, even one without people", async () => {
  const drop = await ownDatabase();
  try {
    await createOrganisation(operator, { name: "Nordwind", slug: "nordwind" });
    expect(await createSetupLink(operator, {})).toBeNull();
  } finally {
    await drop();
  }
});
