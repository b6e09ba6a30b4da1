import { expect, test } from "vitest";
import { updateOrganisation } from "@/server/organisations/update";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { world } from "@/server/testing/world";
import { credentialDays } from "./daily";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";

const dayMs = 86_400_000;

test("counts what happened on each of the last 30 days, including days on which nothing happened", async () => {
  const [w, other] = await Promise.all([world(), world()]);
  const ago = (days: number) => w.at(new Date(w.ctx.now.getTime() - days * dayMs));
  const template = await publishedTemplate(ago(40));
  await issued(ago(31), template.id);
  const first = await issued(ago(29), template.id);
  const second = await issued(ago(2), template.id);
  await suspendCredential(ago(1), { id: first.id });
  await revokeCredential(w.ctx, { id: second.id, reason: "Ended" });
  await issued(other.ctx, (await publishedTemplate(other.ctx)).id);

  const days = await credentialDays(w.ctx, {});
  const today = w.ctx.now.toISOString().slice(0, 10);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ date: today, issued: 0, suspended: 0, revoked: 1 });
  expect(days.at(-2)).toMatchObject({ issued: 0, suspended: 1 });
  expect(days.at(-3)).toMatchObject({ issued: 1, suspended: 0, revoked: 0 });
  expect(days[0]).toMatchObject({ issued: 1 });
  expect(days.reduce((n, day) => n + day.issued, 0)).toBe(2);
});

test("counts by the days of the organisation's time zone", async () => {
  const w = await world();
  await updateOrganisation(w.ctx, { timeZone: "Pacific/Kiritimati" });
  const template = await publishedTemplate(w.at("2026-05-01T00:00:00Z"));
  await issued(w.at("2026-05-31T09:59:59Z"), template.id);
  await issued(w.at("2026-05-31T10:00:00Z"), template.id);
  const days = await credentialDays(w.at("2026-05-31T12:00:00Z"), {});
  expect(days.slice(-2).map(({ date, issued: n }) => [date, n])).toEqual([
    ["2026-05-31", 1],
    ["2026-06-01", 1],
  ]);
  expect(days[0]!.date).toBe("2026-05-03");
});
