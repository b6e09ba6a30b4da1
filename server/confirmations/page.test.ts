import { beforeAll, describe, expect, it } from "vitest";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { approveName } from "@/server/holders/approve-name";
import { listNameRequests } from "@/server/holders/list-name-requests";
import { rejectName } from "@/server/holders/reject-name";
import { updateSubject } from "@/server/subjects/update";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { answer, confirm, open, pathOf, registry, shownAfter } from "./testing/registry";

beforeAll(ownDatabase);

const day = 86_400_000;

describe("the holder's page", () => {
  it("issues nothing if the name on record changed after the page was opened", async () => {
    const r = await registry();
    const { link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await updateSubject(r.ctx, { id: subjectId, displayName: "Ada King" });
    const stale = await shownAfter(link, await confirm(link));
    expect(stale).toContain("The name on record has changed");
    expect(stale).toContain("Ada King");
    expect(await r.credentials()).toEqual([]);
    expect((await confirm(link, "Ada King")).status).toBe(303);
    expect(await r.credentials()).toHaveLength(1);
  });

  it.each(["approve", "reject"] as const)("asks for a correction, which the organisation can %s", async (decision) => {
    const r = await registry({ kind: "academic" });
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await answer(link, { step: "correct", name: "Ada King", note: "I married" });
    expect((await open(link)).text).toContain("You asked for the name");
    expect((await confirm(link)).status).toBe(303);
    const forHolder = await r.request("POST", `/v1/name_confirmations/${id}/confirm`, { reason: "Passport" });
    expect(forHolder.json()).toMatchObject({ code: "name_requested" });
    expect(await r.credentials()).toEqual([]);
    expect(await r.load(id)).toMatchObject({ requestedName: "Ada King" });
    const [request] = (await listNameRequests(r.ctx, { state: "waiting" })).data;
    if (decision === "approve") await approveName(r.ctx, { id: request!.id });
    else await rejectName(r.ctx, { id: request!.id, reason: "Send a document" });
    expect((await open(link)).status).toBe(404);
    const again = await r.load(id);
    const { text } = await open(again.link);
    if (decision === "reject") expect(text).toContain("Send a document");
    const name = decision === "approve" ? "Ada King" : "Ada Lovelace";
    await confirm(again.link, name);
    expect(await r.credentials()).toMatchObject([{ data: { subject: { displayName: name } } }]);
  });

  it("works for 30 days, and a new link replaces it", async () => {
    const r = await registry();
    const { id, link } = (await r.ask()).json<ConfirmationView>();
    await sql(`UPDATE name_confirmations SET link_expires_at = now() - interval '1 second' WHERE org_id = $1`, [
      r.orgId,
    ]);
    expect([(await open(link)).status, (await confirm(link)).status]).toEqual([410, 303]);
    expect(await r.credentials()).toEqual([]);
    const renewed = (await r.request("POST", `/v1/name_confirmations/${id}/resend`)).json<ConfirmationView>();
    expect((await open(link)).status).toBe(404);
    expect(Date.parse(renewed.linkExpiresAt) - Date.now()).toBeGreaterThan(29.9 * day);
    expect((await confirm(renewed.link)).status).toBe(303);
    expect(await r.credentials()).toHaveLength(1);
  });

  it("confirms no name for a person without one, and refuses forms of other sites", async () => {
    const r = await registry();
    const { link } = (await r.ask({}, { externalId: "nameless" })).json<ConfirmationView>();
    expect((await open(link)).text).toContain("No name on record");
    expect(await shownAfter(link, await confirm(link, ""))).toContain("No name on record");
    const foreign = await call("POST", pathOf(link), {
      raw: "step=confirm&name=",
      headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
    });
    expect(foreign.status).toBe(403);
    expect(await r.credentials()).toEqual([]);
  });

  it("keeps the request if the credential cannot be issued now", async () => {
    const r = await registry();
    const { id, link, subjectId } = (await r.ask()).json<ConfirmationView>();
    await updateSubject(r.ctx, { id: subjectId, status: "inactive" });
    expect(await shownAfter(link, await confirm(link))).toContain("you are not active at present");
    expect(await r.load(id)).toMatchObject({ state: "waiting", obstacle: "inactive" });
    await updateSubject(r.ctx, { id: subjectId, status: "active" });
    await confirm(link);
    expect(await r.load(id)).toMatchObject({ state: "confirmed" });
  });
});
