import { beforeAll, describe, expect, it } from "vitest";
import { consoleCtx, consoleSession } from "@/server/access/console-session";
import { createApiKey } from "@/server/access/create-api-key";
import { signIn } from "@/server/access/sign-in";
import { readId } from "@/server/core/ids";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { ownDatabase } from "@/server/testing/own-database";
import { headersOf, password, tokenIn, visitor } from "@/server/testing/person";
import { runAdmin } from "./run";

beforeAll(ownDatabase);

async function run(command: string, ...more: string[]) {
  const written = { out: "", err: "" };
  const code = await runAdmin([...command.split(" "), ...more].filter(Boolean), {
    out: (text) => (written.out += text),
    err: (text) => (written.err += text),
  });
  return { code, ...written, json: <T>() => JSON.parse(written.out) as T };
}

describe("the operator's commands", () => {
  it("create an organisation, working keys and clients, and links for people", async () => {
    const setup = (await run("setup-link --json")).json<{ url: string }>();
    expect(setup.url).toMatch(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/);

    const org = await run("org create --slug nordwind --json --name", "Nordwind University");
    expect(org.json()).toEqual({ id: expect.stringMatching(/^org_/), slug: "nordwind", name: "Nordwind University" });
    expect((await run("org list --json")).json()).toEqual([
      { ...org.json<object>(), nameConfirmed: true, suspendedAt: null },
    ]);

    const { id, secret } = (await run("key create --org nordwind --name SIS --scopes subjects:read --json")).json<{
      id: string;
      secret: string;
    }>();
    expect(id).toMatch(/^key_/);
    expect((await call("GET", "/v1/subjects", { token: secret })).status).toBe(200);
    expect((await call("PUT", "/v1/subjects", { token: secret, body: { externalId: "1" } })).status).toBe(403);

    const limitOf = async () => (await call("GET", "/v1/subjects", { token: secret })).headers.get("ratelimit-policy");
    expect((await run("org confirm-name --org nordwind")).out).toContain("Nordwind University");
    expect((await run("org limit --org nordwind --requests-per-minute 90")).out).toContain("90 requests a minute");
    expect(await limitOf()).toBe('"token";q=90;w=60');
    await run("org limit --org nordwind --requests-per-minute 0");
    expect(await limitOf()).toBeNull();
    expect((await run("org limit --org nordwind --requests-per-minute default --json")).json()).toMatchObject({
      requestsPerMinute: null,
    });
    expect(await limitOf()).toBe('"token";q=6000;w=60');
    expect(
      (await auditOf(readId("org", org.json<{ id: string }>().id))).filter(
        (action) => action === "organisation.limited",
      ),
    ).toHaveLength(3);

    const client = (await run(`oauth-client create --org ${org.json<{ id: string }>().id} --name SIS --json`)).json<{
      clientId: string;
      clientSecret: string;
    }>();
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    const token = await call("POST", "/oauth/token", {
      raw: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(token.status).toBe(200);

    const invited = (await run("user create --org nordwind --email ada@example.edu --role owner --json")).json<{
      url: string;
    }>();
    expect((await run("user reset-password --email ada@example.edu")).code).toBe(1);
    await acceptInvitation(visitor(), { token: tokenIn(invited.url), password });
    expect((await run("user reset-password --email ada@example.edu --json")).json<{ url: string }>().url).toContain(
      "/reset-password?token=",
    );
    const again = await run("setup-link --json");
    expect([again.code, again.json()]).toEqual([
      1,
      { url: null, message: expect.stringContaining("user create --org") },
    ]);
    expect(await run("setup-link")).toMatchObject({ code: 1, out: expect.stringContaining("set up already") });
  });

  it("explain one command, the commands of a group, or all", async () => {
    const one = await run("key revoke --help");
    expect([one.code, one.out]).toEqual([0, expect.stringContaining("key revoke --org … --id …")]);
    expect(one.out).not.toContain("key create");
    const key = await run("key --help");
    expect(key.out).toContain("key create");
    expect(key.out).not.toContain("org create");
    expect((await run("--help")).out).toContain("org create");
  });

  it("name an unknown limit in their own words", async () => {
    const { code, err } = await run("org limit --org nordwind --requests-per-minute -5");
    expect([code, err]).toEqual([
      2,
      "--requests-per-minute takes a number from 0 (no limit) to 9999999, or the word default.",
    ]);
  });

  it("list keys, clients and people with their state and without secrets", async () => {
    const { id: org } = (await run("org create --slug westwind --name Westwind --json")).json<{ id: string }>();
    const key = (await run("key create --org westwind --name SIS --json")).json<{ id: string; secret: string }>();
    const ended = (await run("key create --org westwind --name Old --json")).json<{ id: string }>();
    await run(`key revoke --org westwind --id ${ended.id}`);
    const client = (await run("oauth-client create --org westwind --name App --json")).json<{
      clientId: string;
      clientSecret: string;
    }>();
    const keys = await run("key list --org westwind --json");
    expect(keys.json()).toMatchObject([
      { id: ended.id, name: "Old", revokedAt: expect.any(String) as string },
      { id: key.id, name: "SIS", revokedAt: null },
    ]);
    const lines = (await run(`key list --org ${org}`)).out;
    expect(lines).toMatch(new RegExp(`${ended.id} .* revoked 20.* Old\\n${key.id} .* live  last used never  SIS$`));
    const clients = await run("oauth-client list --org westwind");
    expect(clients.out).toContain(client.clientId);
    for (const told of [keys.out, lines, clients.out])
      for (const secret of [key.secret, client.clientSecret]) expect(told).not.toContain(secret);

    const invited = (await run("user create --org westwind --email west@example.edu --role issuer --json")).json<{
      url: string;
    }>();
    await acceptInvitation(visitor(), { token: tokenIn(invited.url), password });
    await run("user disable --email west@example.edu");
    const of = async (more: string) =>
      (await run(`user list ${more} --json`)).json<{ email: string }[]>().map(({ email }) => email);
    expect((await run("user list --org westwind --json")).json()).toMatchObject([
      {
        email: "west@example.edu",
        disabledAt: expect.any(String) as string,
        memberships: [{ organisation: "westwind", role: "issuer" }],
      },
    ]);
    expect((await run("user list --org westwind")).out).toMatch(
      /^usr_\w+ {2}west@example\.edu .*westwind: issuer {2}\(disabled\)$/,
    );
    expect(await of("")).toEqual(expect.arrayContaining(["ada@example.edu", "west@example.edu"]));
    expect(await of("--org nordwind")).not.toContain("west@example.edu");
    expect((await run("user list --org nobody")).code).toBe(1);
  });

  it("revoke keys and clients, end sessions, disable and delete accounts, suspend organisations", async () => {
    const { id: org } = (await run("org create --slug suedwind --name Suedwind --json")).json<{ id: string }>();
    const status = async (token: string) => (await call("GET", "/v1/subjects", { token })).status;
    const key = (await run("key create --org suedwind --name SIS --json")).json<{ id: string; secret: string }>();
    expect((await run(`key revoke --org nordwind --id ${key.id}`)).code).toBe(1);
    expect((await run(`key revoke --org suedwind --id ${key.id}`)).out).toContain("Revoked the API key SIS");
    expect(await status(key.secret)).toBe(401);
    const client = (await run("oauth-client create --org suedwind --name Portal --json")).json<{ clientId: string }>();
    expect((await run(`oauth-client revoke --org suedwind --id ${client.clientId} --json`)).json()).toMatchObject({
      clientId: client.clientId,
      revokedAt: expect.any(String),
    });

    const join = async (email: string, role: string) => {
      const { url } = (await run(`user create --org suedwind --email ${email} --role ${role} --json`)).json<{
        url: string;
      }>();
      await acceptInvitation(visitor(), { token: tokenIn(url), password });
      return headersOf(await signIn(visitor(), { email, password }));
    };
    await join("owner@example.edu", "owner");
    const admin = await join("admin@example.edu", "admin");
    const made = await createApiKey((await consoleCtx(admin))!, { name: "Theirs" });
    expect((await run("session end --email admin@example.edu")).code).toBe(0);
    expect(await consoleSession(admin)).toBeNull();
    const back = await headersOf(await signIn(visitor(), { email: "admin@example.edu", password }));

    const disabled = (await run("user disable --email admin@example.edu")).out;
    expect(disabled).toContain("user enable");
    expect(disabled).not.toContain("Warning");
    expect(await consoleSession(back)).toBeNull();
    await expect(signIn(visitor(), { email: "admin@example.edu", password })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    await run("user enable --email admin@example.edu");
    await signIn(visitor(), { email: "admin@example.edu", password });

    expect((await run("user disable --email owner@example.edu")).out).toContain(
      "Warning: no owner of suedwind can sign in now.",
    );
    await run("user enable --email owner@example.edu");
    const owner = await headersOf(await signIn(visitor(), { email: "owner@example.edu", password }));

    const refused = await run("user delete --email owner@example.edu");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/last owner.*user create --org \S+ --email <address> --role owner/),
    ]);
    expect(await consoleSession(owner)).not.toBeNull();
    expect((await run("user delete --email admin@example.edu --revoke-access perhaps")).code).toBe(2);
    expect((await run("user delete --email admin@example.edu --revoke-access yes --json")).json()).toMatchObject({
      revoked: 1,
    });
    expect(await status(made.secret)).toBe(401);
    expect((await run("user enable --email admin@example.edu")).code).toBe(1);

    expect((await run("org suspend --org suedwind")).out).toContain("org resume");
    expect((await run("org list")).out).toContain("Suedwind  (suspended)");
    expect((await run("org resume --org suedwind --json")).json()).toEqual({ id: org, suspended: false });
    const traces = await auditOf(readId("org", org));
    for (const action of [
      "api_key.revoked",
      "oauth_client.revoked",
      "session.all_ended",
      "user.disabled",
      "user.enabled",
      "member.removed",
      "organisation.suspended",
      "organisation.resumed",
    ])
      expect(traces).toContain(action);
  });

  it("explain a wrong command with exit code 2, and a refusal of the service with exit code 1", async () => {
    expect(await run("")).toMatchObject({ code: 0, out: expect.stringContaining("org create --name …") });
    expect(await run("org destroy")).toMatchObject({ code: 2, err: expect.stringContaining("org destroy") });
    expect(await run("org create --json")).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--name") });
    expect(await run("org create --name x --colour red")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--colour"),
    });
    expect(await run("org limit --org nordwind --requests-per-minute many")).toMatchObject({
      code: 2,
      err: expect.stringContaining("default"),
    });
    expect(await run("user create --org nordwind --email a@example.edu --role king")).toMatchObject({
      code: 2,
      err: expect.stringContaining("viewer"),
    });
    expect(await run("key create --org nordwind --name x --scopes a,verify")).toMatchObject({
      code: 2,
      err: expect.stringContaining("No such scope: a."),
    });
    expect(await run("org create --name Other --slug nordwind")).toMatchObject({
      code: 1,
      err: expect.stringContaining("nordwind"),
    });
    expect(await run("key create --org nobody --name x")).toMatchObject({
      code: 1,
      err: expect.stringContaining("nobody"),
    });
  });
});
