import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { createUser } from "@/server/access/create-user";
import { hashPassword } from "@/server/access/password";
import { randomBase62 } from "@/server/access/token-format";
import { advisoryLocks } from "@/server/core/advisory-locks";
import type { Actor, TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { transaction, type Tx } from "@/server/core/transaction";
import { env } from "@/server/core/env";
import { newId, newPublicId, noOrganisation, publicId, readId, type Id } from "@/server/core/ids";
import { personScopes, scopes } from "@/server/core/scopes";
import { deriveKey } from "@/server/core/secrets";
import { addMember } from "@/server/organisations/add-member";
import { createOrganisation } from "@/server/organisations/create";
import { inviteMember } from "@/server/organisations/invite-member";
import { createAchievement } from "@/server/achievements/create";
import { createTemplate } from "@/server/templates/create";
import { chanceFrom } from "./chance";
import { writeDeliveryHistory } from "./deliveries";
import { holdDeliveries, listening } from "./endpoints";
import { calendarOf, type Calendar, type Cast, type Scene, type Stage } from "./stage";
import { storyOf } from "./story";
import { achievements } from "./achievements";
import { templates } from "./templates";

const slug = "northwind-university";
const email = "demo@northwind.example";

/**
 * Adds an organisation with four weeks of history: people, templates, credentials in every state, webhooks with their
 * deliveries. All of it is created by the operations of the service, each at its own time. Running it again only
 * completes an unfinished delivery history.
 *
 * @returns how to sign in. The password is derived from the master secret, so it can be returned again.
 */
export async function seedDemo(
  now = new Date(),
): Promise<{ created: boolean; email: string; password: string; url: string }> {
  const password = `demo-${deriveKey("demo-password").toString("base64url").slice(0, 16)}`;
  const [ownersHash, registrarsHash] = await Promise.all([hashPassword(password), hashPassword(randomBase62(40))]);
  const calendar = calendarOf(now);
  const made = await transaction(async (tx) => {
    // Two processes may seed at once.
    await tx.sql(`SELECT pg_advisory_xact_lock($1)`, [advisoryLocks.demo]);
    const [present] = await tx.sql(`SELECT 1 FROM organisations WHERE slug = $1`, [slug]);
    if (present) return false;
    await play(await setStage(tx, calendar, ownersHash, registrarsHash), calendar);
    return true;
  });
  const [organisation] = await sql<{ id: Id<"org"> }>(`SELECT id FROM organisations WHERE slug = $1`, [slug]);
  await writeDeliveryHistory(organisation!.id, calendar);
  return { created: made, email, password, url: `${env().PUBLIC_URL}/sign-in` };
}

async function setStage(
  tx: Tx,
  { day }: Calendar,
  ownersHash: string,
  registrarsHash: string,
): Promise<Stage & { tx: Tx; orgId: Id<"org"> }> {
  const at = day(28, 9);
  const operator = { type: "operator", id: "demo" } as const;
  const organisation = await createOrganisation(contextOf(tx, noOrganisation, operator, at), {
    name: "Northwind University",
    slug,
  });
  const orgId = readId("org", organisation.id);
  const as: Stage["as"] = (actor, when) => contextOf(tx, orgId, actor, when);
  const [ownerId, registrarId] = [newId("usr"), newId("usr")];
  const owner: Actor = { type: "user", id: publicId("usr", ownerId) };
  const registrar: Actor = { type: "user", id: publicId("usr", registrarId) };
  await createUser(tx, {
    id: ownerId,
    email,
    name: "Dana Whitfield",
    passwordHash: ownersHash,
    isVerified: true,
    now: at,
  });
  await addMember(as(owner, at), { userId: ownerId, role: "owner" });
  await createUser(tx, {
    id: registrarId,
    email: "registrar@northwind.example",
    name: "Marcus Oyelaran",
    passwordHash: registrarsHash,
    isVerified: true,
    now: at,
  });
  await addMember(as(registrar, at), { userId: registrarId, role: "issuer" });
  const key = await createApiKey(as(owner, day(28, 9, 20)), { name: "Student information system" });
  await tx.sql(`UPDATE api_keys SET last_used_at = $3 WHERE org_id = $1 AND id = $2`, [
    orgId,
    readId("key", key.id),
    day(1, 16, 42),
  ]);
  const cast: Cast = { owner, registrar, system: { type: "api_key", id: key.id } };
  const certificate = await createAchievement(as(owner, day(28, 9, 30)), achievements.certificate);
  await createAchievement(as(owner, day(28, 9, 35)), achievements.degree);
  const ids: Partial<Stage["templates"]> = {};
  for (const [name, template] of Object.entries(templates)) {
    const states = name === "certificate" ? { achievementId: certificate.id } : {};
    ids[name as keyof typeof templates] = (
      await createTemplate(as(owner, day(28, 9, 40)), { ...template, ...states })
    ).id;
  }
  return { tx, orgId, as, cast, templates: ids as Stage["templates"], credentials: new Map() };
}

/**
 * Scenes of the owner's other work: creating an OAuth client for a gateway, and inviting a colleague who has not
 * accepted yet.
 */
function housekeeping({ day }: Calendar): Scene[] {
  return [
    {
      at: day(21, 15, 5),
      play: (stage, at) =>
        createOAuthClient(stage.as(stage.cast.owner, at), {
          name: "Library gateway",
          scopes: ["subjects:read", "credentials:read", "verify"],
        }),
    },
    {
      at: day(2, 16, 30),
      play: (stage, at) =>
        inviteMember(stage.as(stage.cast.owner, at), { email: "j.fischer@northwind.example", role: "viewer" }),
    },
  ];
}

async function play(stage: Stage & { tx: Tx; orgId: Id<"org"> }, calendar: Calendar): Promise<void> {
  const scenes = [...listening(calendar), ...housekeeping(calendar), ...storyOf(calendar, chanceFrom(2026))].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  for (const scene of scenes) await scene.play(stage, scene.at);
  await holdDeliveries(stage.tx, stage.orgId);
}

function contextOf(tx: Tx, orgId: Id<"org">, actor: Actor, now: Date): TxCtx {
  return { orgId, actor, scopes: new Set([...scopes, ...personScopes]), requestId: newPublicId("req"), now, tx };
}
