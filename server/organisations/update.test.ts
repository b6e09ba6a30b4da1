import { describe, expect, it } from "vitest";
import { publicId } from "@/server/core/ids";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { listAudit } from "@/server/access/list-audit";
import { confirmOrganisationName } from "./confirm-name";

describe("PATCH /v1/organisation", () => {
  it("says whether the operator has confirmed the name, which a new name is not", async () => {
    const w = await world();
    const token = await w.key("settings:write");
    const isConfirmed = async () => (await call("GET", "/v1/organisation", { token })).json()["nameConfirmed"];
    const rename = (name: string) => call("PATCH", "/v1/organisation", { token, body: { name } });
    await rename("Acme");
    const before = await isConfirmed();
    await confirmOrganisationName({ ...w.ctx, actor: { type: "operator", id: "operator" } }, {});
    const confirmed = await isConfirmed();
    await rename("Harvard University");
    expect([before, confirmed, await isConfirmed()]).toEqual([false, true, false]);
  });

  it("sets name, time zone and locale, shows them in GET /v1/organisation and GET /v1/me, and records the earlier values in the audit log", async () => {
    const w = await world();
    const token = await w.key("settings:write");
    const answer = await call("PATCH", "/v1/organisation", {
      token,
      body: { name: "Acme University", timeZone: "Pacific/Kiritimati", locale: "en-us" },
    });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        id: publicId("org", w.orgId),
        object: "organisation",
        name: "Acme University",
        timeZone: "Pacific/Kiritimati",
        locale: "en-US",
      },
    ]);
    expect((await call("GET", "/v1/organisation", { token: await w.key("verify") })).json()).toEqual(answer.json());
    const me = (await call("GET", "/v1/me", { token })).json();
    expect(me).toEqual({
      object: "me",
      organisation: answer.json(),
      actor: { type: "api_key", id: expect.stringMatching(/^key_/) },
      scopes: ["settings:write"],
    });
    const [entry] = (await listAudit(w.ctx, { targetId: publicId("org", w.orgId) })).data.filter(
      ({ action }) => action === "organisation.updated",
    );
    expect(entry!.detail).toEqual({
      name: { from: "Test Organisation", to: "Acme University" },
      timeZone: { from: "UTC", to: "Pacific/Kiritimati" },
      locale: { from: "en-GB", to: "en-US" },
    });
  });

  it("writes nothing if nothing changes", async () => {
    const w = await world();
    const token = await w.key("settings:write");
    const before = (await call("GET", "/v1/organisation", { token })).json();
    const trail = await auditOf(w.orgId);
    expect(
      (
        await call("PATCH", "/v1/organisation", {
          token,
          body: { name: "Test Organisation", timeZone: "UTC", locale: "en-GB" },
        })
      ).json(),
    ).toEqual(before);
    expect(await auditOf(w.orgId)).toEqual(trail);
  });

  it.each([
    [{ timeZone: "Europe/Atlantis" }, "/timeZone"],
    [{ timeZone: "+02:00" }, "/timeZone"],
    [{ locale: "english" }, "/locale"],
    [{ locale: "en_GB" }, "/locale"],
    [{ slug: "other" }, "/slug"],
  ])("refuses %j", async (body, pointer) => {
    const w = await world();
    const answer = await call("PATCH", "/v1/organisation", { token: await w.key("settings:write"), body });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors.map((e) => e.pointer)]).toEqual([
      400,
      [pointer],
    ]);
  });

  it("requires settings:write, which a key does not get by default", async () => {
    const w = await world();
    const answer = await call("PATCH", "/v1/organisation", {
      token: await w.key(),
      body: { timeZone: "Europe/Berlin" },
    });
    expect([answer.status, answer.json()["scope"]]).toEqual([403, "settings:write"]);
  });
});
