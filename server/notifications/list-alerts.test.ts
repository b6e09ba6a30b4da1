import { beforeAll, beforeEach, afterEach, expect, it } from "vitest";
import { held } from "@/server/connectors/testing/runs";
import { publicId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { person } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { listAlertsToMe } from "./list-alerts";
import { notify } from "./notify";
import type { MailSettings } from "./settings";
import { MailServer } from "./testing/mail-server";

beforeAll(ownDatabase);

let server: MailServer;
let settings: MailSettings;
beforeEach(async () => {
  server = new MailServer();
  settings = await server.start();
});
afterEach(() => server.close());

const alertsTo = ({ ctx }: World, { claims }: Awaited<ReturnType<typeof person>>) =>
  listAlertsToMe({ ...ctx, actor: { type: "user", id: publicId("usr", claims.userId) } }, {});

const wouldBeDeactivated = "Registry: 19 people would be deactivated";

it("without a mail server, alerts are listed unsent for owners and admins, with their text and page", async () => {
  const w = await world();
  const [owner, viewer] = [await person(w, "owner"), await person(w, "viewer")];
  const { id, run } = await held(w.ctx);
  await notify(undefined, () => new Date());
  const { data } = await alertsTo(w, owner);
  expect(data).toMatchObject([
    {
      kind: "connector_run_held",
      subject: wouldBeDeactivated,
      text: expect.stringContaining("Up to 10 within 24 hours need no approval."),
      path: `/connectors/${id}/runs/${run}`,
      state: "unsent",
    },
  ]);
  expect((await alertsTo(w, viewer)).data).toEqual([]);
});

it("an alert that was kept unsent is not sent when a mail server is configured later", async () => {
  const w = await world();
  const owner = await person(w, "owner");
  await held(w.ctx);
  await notify(undefined, () => new Date());
  await notify(settings, () => new Date());
  expect(server.subjectsTo(owner.email)).toEqual([]);
  expect((await alertsTo(w, owner)).data).toMatchObject([{ state: "unsent" }]);
});

it("with a mail server, an alert is listed as sent, and as unsent for somebody whose address is not verified", async () => {
  const w = await world();
  const [owner, unverified] = [await person(w, "owner"), await person(w, "admin")];
  await sql(`UPDATE users SET email_verified_at = NULL WHERE email = $1`, [unverified.email]);
  await held(w.ctx);
  await notify(settings, () => new Date());
  expect(server.subjectsTo(owner.email)).toEqual([wouldBeDeactivated]);
  expect(server.subjectsTo(unverified.email)).toEqual([]);
  expect((await alertsTo(w, owner)).data).toMatchObject([{ state: "sent" }]);
  expect((await alertsTo(w, unverified)).data).toMatchObject([{ state: "unsent" }]);
});

it("lists no alert of another organisation to which the person belongs", async () => {
  const [w, other] = [await world(), await world()];
  const owner = await person(w, "owner");
  await person(other, "owner", owner.email);
  await held(other.ctx);
  await notify(undefined, () => new Date());
  expect((await alertsTo(w, owner)).data).toEqual([]);
  expect((await alertsTo(other, owner)).data).toHaveLength(1);
});
