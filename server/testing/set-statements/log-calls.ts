import { actorNames } from "@/server/access/actor-names";
import { namesOf } from "@/server/access/names-of";
import { thingNames } from "@/server/access/thing-names";
import { flushKeyUse, noteKeyUse } from "@/server/access/last-used";
import { groupNames } from "@/server/groups/names";
import { sendAccountMail } from "@/server/notifications/send-account-mail";
import { listAudit } from "@/server/access/list-audit";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { flushSecurityEvents, recordSecurityEvent } from "@/server/access/security-events";
import { replaceRecoveryCodes } from "@/server/access/second-factor/recovery-codes";
import { newPublicId, publicId, type Id } from "@/server/core/ids";
import { listReadAttributes } from "@/server/connectors/read-attributes";
import { peopleOfRows } from "@/server/credentials/people-of-rows";
import { listEvents } from "@/server/events/list";
import { sequenceBatch } from "@/server/consumers";
import { loadEntry } from "@/server/holders/load-entry";
import { loadHome } from "@/server/holders/load-home";
import { beginSession } from "@/server/holders/session";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { subjectNames } from "@/server/subjects/names";
import { hashToken } from "@/server/core/secrets";
import { transaction } from "@/server/core/transaction";
import { sql } from "@/server/testing/sql";
import { arrange, type Given, type Call } from "./given";

/** Names of records, and the logs. */
export function logCalls(given: Given): Call[] {
  const { ctx, orgId, at, span, n, numbers, ids, tenths, many } = given;
  return [
    {
      name: "upsert new people, after an erasure",
      given: n,
      run: () => bulkUpsertSubjects(ctx, { items: numbers().map((each) => ({ externalId: `new-${each}` })) }),
    },
    {
      name: "names of subjects",
      given: Math.min(n, 100),
      run: () => subjectNames(ctx, { ids: ids("sub", Math.min(n, 100)) }),
    },
    {
      name: "people of refused rows",
      given: 2 * n,
      run: () =>
        peopleOfRows(ctx, [
          ...ids("sub").map((id) => ({ id })),
          ...numbers().map((each) => ({ externalId: `x-${each}` })),
        ]),
    },
    { name: "attributes that cards and rules read", given: 100, run: () => listReadAttributes(ctx, {}) },
    {
      name: "names of actors",
      given: Math.min(n, 100),
      run: () =>
        actorNames(ctx, {
          ids: [
            ...(["usr", "key", "ocl"] as const).flatMap((prefix) =>
              tenths(prefix, Math.min(n, 14)).map((id) => publicId(prefix, id)),
            ),
            ...(["pol", "plr", "con", "run"] as const).flatMap((prefix) => ids(prefix, Math.min(n, 14))),
          ],
        }),
    },
    {
      name: "names of things",
      given: 4 * Math.min(n, 25),
      run: () =>
        thingNames(ctx, {
          ids: (["grp", "con", "whe", "crd"] as const).flatMap((prefix) => ids(prefix, Math.min(n, 25))),
        }),
    },
    {
      name: "the holder's home",
      given: 10,
      run: async () => {
        const email = "walk@example.edu";
        await arrange(`UPDATE subjects SET email = $3 WHERE org_id = $1 AND id = $2`, [
          orgId,
          tenths("sub", 1)[0],
          email,
        ]);
        await loadHome(await transaction((tx) => beginSession(tx, new Date(), email)), new Date());
        const token = newPublicId("req");
        await arrange(
          `INSERT INTO address_proofs (id, purpose, email, from_email, token_hash, expires_at, created_at)
           VALUES (uuidv7(), 'home_address', 'new@example.org', $1, $2, now() + interval '1 hour', now())`,
          [email, hashToken(token)],
        );
        await loadEntry(token, new Date());
      },
    },
    {
      name: "names of groups",
      given: Math.min(n, 500),
      run: () => groupNames(ctx, { ids: ids("grp", Math.min(n, 500)) }),
    },
    {
      name: "names in a log",
      given: Math.min(n, 100),
      run: () =>
        namesOf(
          sql,
          orgId,
          (["usr", "key", "ocl"] as const).flatMap((prefix) =>
            tenths(prefix, Math.min(n, 33)).map((id) => publicId(prefix, id)),
          ),
        ),
    },
    { name: "recovery codes", given: 10, run: () => replaceRecoveryCodes(sql, tenths("usr", 1)[0]!, at) },
    { name: "security events", given: n, run: () => recordSecurity(given, tenths("usr")) },
    {
      name: "audit log of some",
      given: span.to - span.from,
      run: () => listAudit(ctx, { actorId: "nobody,else", targetId: ids("sub", 2).join(",") }),
    },
    {
      name: "security events of a kind",
      given: n,
      run: () => listSecurityEvents(ctx, { type: "sign_in_failed", offset: 0 }),
    },
    {
      name: "mail to people",
      given: 1,
      run: () => sendAccountMail({ smtp: { host: "127.0.0.1", port: 1 }, from: "a@example.edu" }, () => at),
    },
    { name: "use of keys", given: 2 * n, run: () => useKeys(given, tenths("key"), tenths("ocl")) },
    {
      name: "events by type",
      given: 100,
      run: () => listEvents(ctx, { type: "credential.expired,subject.deactivated", limit: 100 }),
    },
    {
      name: "count events by type",
      given: 2 * many,
      run: () => listEvents(ctx, { type: "credential.expired", limit: 1, offset: 0 }),
    },
    {
      name: "events of subjects",
      given: n,
      each: 30,
      run: () => listEvents(ctx, { relatedTo: ids("sub", Math.min(n, 100)).join(","), limit: 50 }),
    },
    { name: "number events", given: n + (span.to - span.from) / 10, run: () => sequenceBatch(n, at) },
  ];
}

async function useKeys(given: Given, keys: Id<"key">[], clients: Id<"ocl">[]): Promise<void> {
  for (const id of keys) noteKeyUse("api_key", given.orgId, id, given.at);
  for (const id of clients) noteKeyUse("oauth_client", given.orgId, id, given.at);
  await flushKeyUse();
}

async function recordSecurity(given: Given, users: Id<"usr">[]): Promise<void> {
  for (const id of users)
    recordSecurityEvent({
      type: "sign_in_failed",
      account: { id },
      address: "192.0.2.1",
      requestId: "r",
      at: given.at,
    });
  await flushSecurityEvents();
}
