import { beforeAll, describe, expect, it } from "vitest";
import { someAddress } from "@/server/claims/testing/claims";
import { sequencer } from "@/server/consumers";
import { parseEnv } from "@/server/core/env";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { sendMessages } from "@/server/notifications/send-messages";
import { mailSettings } from "@/server/notifications/settings";
import { MailServer } from "@/server/notifications/testing/mail-server";
import { upsertSubject } from "@/server/subjects/upsert";
import { updateSubject } from "@/server/subjects/update";
import { runChild } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { answer, confirm, open, registry, shownAfter } from "./testing/registry";

beforeAll(ownDatabase);

describe("a change after the holder was asked", () => {
  it("ends a request for a credential in place of one that was revoked meanwhile", async () => {
    const r = await registry();
    const first = (await r.ask()).json<ConfirmationView>();
    expect((await confirm(first.link)).status).toBe(303);
    const [held] = await r.credentials();
    const { id, link } = (await r.ask({ ifExists: "replace" })).json<ConfirmationView>();
    await r.request("POST", `/v1/credentials/${held!.id}/revoke`, { reason: "Plagiarism" });
    expect((await open(link)).text).toContain("revoked a credential of yours");
    expect(await shownAfter(link, await confirm(link))).toContain("revoked a credential of yours");
    expect(await r.load(id)).toMatchObject({ state: "waiting", obstacle: "revoked" });
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect([refused.status, refused.json()["detail"]]).toEqual([409, expect.stringContaining("Plagiarism")]);
    expect(await r.credentials()).toHaveLength(1);
  });

  it("shows an earlier request of the holder for another name", async () => {
    const r = await registry();
    const { subject } = await upsertSubject(r.ctx, r.ada);
    await sql(
      `INSERT INTO name_requests (org_id, id, subject_id, name, note, state, created_at) SELECT org_id, gen_random_uuid(), id, 'Ada King', '', 'waiting', now() - interval '1 day' FROM subjects WHERE org_id = $1 AND external_id = $2`,
      [r.orgId, r.ada.externalId],
    );
    expect(subject.displayName).toBe("Ada Lovelace");
    const { link } = (await r.ask()).json<ConfirmationView>();
    const { text } = await open(link);
    expect(text).toContain("You asked for the name");
    expect(text).not.toContain("Yes, issue it");
  });

  it("ends a link that was mailed to a former address of the person", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    await sql(`UPDATE messages SET state = 'sent', address = $2 WHERE org_id = $1`, [
      r.orgId,
      r.ada.email.toUpperCase(),
    ]);
    expect((await open(link)).text).toContain("Yes, issue it");
    expect((await r.load(id)).mail).toBe("sent");
    await updateSubject(r.ctx, { id: subjectId, email: someAddress() });
    expect((await open(link)).status).toBe(410);
    await confirm(link);
    expect(await r.credentials()).toEqual([]);
    expect((await r.load(id)).mail).toBeNull();
  });

  it("mails a new link if the address changes, and the former link stops working", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    const server = new MailServer();
    const settings = await server.start();
    const send = async () => {
      await sequencer().drain();
      await sendMessages(settings, () => new Date());
    };
    await send();
    await updateSubject(r.ctx, { id: subjectId, displayName: "Ada King" });
    await send();
    const newer = someAddress();
    await updateSubject(r.ctx, { id: subjectId, email: newer });
    await send();
    await server.close();
    const to = (address: string) => server.received.filter((mail) => mail.to.includes(address));
    expect([to(r.ada.email).length, to(newer).length]).toEqual([1, 1]);
    const renewed = await r.load(id);
    expect(renewed).toMatchObject({ email: newer, mail: "sent" });
    expect(renewed.link).not.toBe(link);
    expect(to(newer)[0]!.source).toContain(renewed.link);
    expect((await open(link)).status).toBe(404);
    await confirm(renewed.link, "Ada King");
    expect(await r.credentials()).toHaveLength(1);
  });

  it("ends a link that a killed process may have mailed to the former address, and mails a new one", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await sequencer().drain();
    const server = new MailServer();
    const settings = await server.listen();
    const held = new Promise<void>((resolve) => {
      server.hold = async (to) => {
        if (!to.includes(r.ada.email)) return;
        resolve();
        await new Promise(() => undefined);
      };
    });
    const child = await runChild("server/notifications/testing/send.child.ts", [], settings);
    await held;
    await child.kill();
    server.hold = undefined;
    expect((await open(link)).status).toBe(200);
    const newer = someAddress();
    await updateSubject(r.ctx, { id: subjectId, email: newer });
    expect((await open(link)).status).toBe(410);
    await sequencer().drain();
    await sendMessages(mailSettings(parseEnv({ ...process.env, ...settings })), () => new Date());
    await server.close();
    const { link: renewed } = await r.load(id);
    expect(server.received.filter(({ to }) => to.includes(newer)).map(({ source }) => source)).toEqual([
      expect.stringContaining(renewed!),
    ]);
    expect((await open(link)).status).toBe(404);
    expect((await open(renewed)).text).toContain("Yes, issue it");
  });

  it("mails a new link if the address changes while the former link is being sent", async () => {
    const r = await registry();
    const { id, subjectId } = (await r.ask()).json<ConfirmationView>();
    const server = new MailServer();
    const settings = await server.start();
    const newer = someAddress();
    server.hold = async (to) => {
      if (!to.includes(r.ada.email)) return;
      await updateSubject(r.ctx, { id: subjectId, email: newer });
      await sequencer().drain();
    };
    await sequencer().drain();
    await sendMessages(settings, () => new Date());
    await sendMessages(settings, () => new Date());
    await server.close();
    const { link } = await r.load(id);
    expect(server.received.filter(({ to }) => to.includes(newer)).map(({ source }) => source)).toEqual([
      expect.stringContaining(link!),
    ]);
    expect((await open(link)).text).toContain("Yes, issue it");
  });

  it("cancels the request if the credential is issued without it", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await r.request("PATCH", `/v1/templates/${r.templateId}`, { confirmName: false });
    const { code } = (await r.ask()).json<{ code: string }>();
    expect(await r.load(id)).toMatchObject({ state: "cancelled", reason: expect.stringContaining(code) });
    const { text } = await open(link);
    expect(text).toContain("It was issued to you");
    expect(text).toContain(`href="/c/${code}"`);
    expect(text).not.toContain("took it back");
    expect(await r.credentials()).toHaveLength(1);
  });

  it("marks a request whose credential would have expired", async () => {
    const r = await registry();
    const { id, link } = (await r.ask({ expiresAt: "2990-01-01T00:00:00Z" })).json<ConfirmationView>();
    expect((await r.load(id)).obstacle).toBeNull();
    await sql(
      `UPDATE name_confirmations SET terms = jsonb_set(terms, '{expiresAt}', '"2001-01-01T00:00:00Z"') WHERE org_id = $1`,
      [r.orgId],
    );
    expect((await r.load(id)).obstacle).toBe("expired");
    expect((await open(link)).text).toContain("a time that is over");
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect(refused.json()["detail"]).toContain("would have expired");
  });

  it("tells a holder that a request for another name came too late", async () => {
    const r = await registry();
    const { link } = (await r.ask()).json<ConfirmationView>();
    await confirm(link);
    const page = await shownAfter(link, await answer(link, { step: "correct", name: "Ada King", note: "" }));
    for (const said of ["it was not sent", "Ada King", "Your name is confirmed"]) expect(page).toContain(said);
  });

  it("tells a holder that an earlier request for another name waits", async () => {
    const r = await registry();
    const { link } = (await r.ask()).json<ConfirmationView>();
    await answer(link, { step: "correct", name: "Ada King", note: "" });
    const page = await shownAfter(link, await answer(link, { step: "correct", name: "Ada Byron", note: "" }));
    for (const said of ["This one was not sent", "Ada Byron", "Ada King"]) expect(page).toContain(said);
  });

  it("gives both rows of one person the working link", async () => {
    const r = await registry();
    const items = [1, 2].map((box) => ({
      subject: r.ada,
      templateId: r.templateId,
      ifExists: "replace",
      metadata: { box },
    }));
    const done = (await r.request("POST", "/v1/credentials/bulk", { action: "issue", items })).json<{
      data: { nameConfirmation: ConfirmationView }[];
    }>();
    const links = done.data.map(({ nameConfirmation }) => nameConfirmation.link);
    expect(links[0]).toBe(links[1]);
    await confirm(links[0]!);
    expect(await r.credentials()).toMatchObject([{ metadata: { box: 2 } }]);
  });

  it("does not confirm an empty name on behalf of the holder either", async () => {
    const r = await registry();
    const { id } = (await r.ask({}, { externalId: "nameless" })).json<ConfirmationView>();
    const refused = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect([refused.status, refused.json()["detail"]]).toEqual([409, expect.stringContaining("no name on record")]);
    expect(await r.credentials()).toEqual([]);
  });
});
