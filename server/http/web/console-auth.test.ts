import NextAuth from "next-auth";
import { describe, expect, it, vi } from "vitest";
import { consoleSession, sessionCookie } from "@/server/access/console-session";
import { endSessions } from "@/server/access/end-sessions";
import { listOwnSessions } from "@/server/access/list-own-sessions";
import { pool } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { inviteMember } from "@/server/organisations/invite-member";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { auditOf } from "@/server/testing/audit";
import { password, person, tokenIn, visitor } from "@/server/testing/person";
import { codeOf, withApp } from "@/server/testing/second-factor";
import { world } from "@/server/testing/world";
import { authOptions } from "./console-auth";

interface Answer {
  status: number;
  body: { url?: string; csrfToken?: string };
}

/** A browser at next-auth's endpoints: keeps and sends cookies. */
class Browser {
  readonly #address = visitor().address;
  readonly #cookies = new Map<string, string>();

  get headers(): Headers {
    return new Headers({ cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  }

  get hasSession(): boolean {
    return Boolean(this.#cookies.get(sessionCookie().name));
  }

  async ask(method: "GET" | "POST", path: string, body: Record<string, unknown> = {}): Promise<Answer> {
    const request = new Request(`http://localhost:3000/api/auth/${path}`, {
      headers: { "x-forwarded-for": this.#address, "user-agent": "test browser", cookie: this.headers.get("cookie")! },
    });
    const answer: Answer = { status: 200, body: {} };
    const response = {
      status: (code: number) => ((answer.status = code), response),
      getHeader: () => [],
      setHeader: (name: string, value: string | string[]) => (
        name === "Set-Cookie" && this.#keep([value].flat()), response
      ),
      json: (sent: Answer["body"]) => void (answer.body = sent),
      send: (sent: Answer["body"]) => void (answer.body = sent),
      end: () => undefined,
    };
    const query = { nextauth: path.split("/") };
    await NextAuth(
      {
        method,
        query,
        body: { json: "true", ...body },
        cookies: Object.fromEntries(this.#cookies),
        headers: {},
      } as never,
      response as never,
      authOptions(request, (header) => this.#keep([header])),
    );
    return answer;
  }

  async post(path: string, body: Record<string, unknown>): Promise<Answer> {
    const { csrfToken } = (await this.ask("GET", "csrf")).body;
    return this.ask("POST", path, { csrfToken, ...body });
  }

  signIn(email: string, typed = password): Promise<Answer> {
    return this.post("callback/credentials", { email, password: typed });
  }

  #keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      this.#cookies.set(name!, decodeURIComponent(value!));
    }
  }
}

const errorOf = ({ body }: Answer) => new URL(body.url!).searchParams.get("error");

describe("signing in to the console", () => {
  it("works with a password, and signing out removes the session cookie", async () => {
    const home = await world();
    const { email } = await person(home, "owner");
    const browser = new Browser();
    expect((await browser.signIn(email)).status).toBe(200);
    expect(await consoleSession(browser.headers)).toMatchObject({ user: { email }, current: { orgId: home.orgId } });
    expect(Object.keys((await browser.ask("GET", "session")).body)).toEqual(["expires"]);
    expect(await consoleSession(browser.headers)).not.toBeNull();
    await browser.post("signout", {});
    expect(browser.hasSession).toBe(false);
  });

  it("signing out ends the session even for a kept copy of the cookie, and no other session of the person", async () => {
    const home = await world();
    const { email } = await person(home, "owner");
    const [browser, other] = [new Browser(), new Browser()];
    for (const each of [browser, other]) await each.signIn(email);
    const kept = browser.headers;
    await browser.post("signout", {});
    expect(await consoleSession(kept)).toBeNull();
    expect(await consoleSession(other.headers)).not.toBeNull();
    expect((await auditOf(home.orgId)).at(-1)).toBe("session.ended");
  });

  it("a failing database does not end the session, also during a change of organisation", async () => {
    const home = await world();
    const { email } = await person(home, "owner");
    const browser = new Browser();
    await browser.signIn(email);
    const query = vi
      .spyOn(pool(), "query")
      .mockImplementation(() => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.7")));
    await browser.ask("GET", "session");
    await browser.post("session", { data: { orgId: "org_x" } });
    query.mockRestore();
    expect(await consoleSession(browser.headers)).toMatchObject({ current: { orgId: home.orgId } });
  });

  it("a wrong password is reported, and after five the rate limit", async () => {
    const { email } = await person(await world(), "owner");
    const browser = new Browser();
    const errors = [];
    for (let i = 0; i < 6; i++) errors.push(errorOf(await browser.signIn(email, "wrong")));
    expect(errors).toEqual([...Array(5).fill("CredentialsSignin"), "rate_limited"]);
    expect(browser.hasSession).toBe(false);
  });

  it("an internal failure is reported only as internal_error", async () => {
    const query = vi
      .spyOn(pool(), "query")
      .mockImplementation(() => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.7")));
    const failed = await new Browser().signIn("ada@example.edu").finally(() => query.mockRestore());
    expect(errorOf(failed)).toBe("internal_error");
    expect(errorOf(await new Browser().signIn("ada\0@example.edu"))).toBe("CredentialsSignin");
  });

  it("the second factor is asked for in a second step, which only the same browser can take", async () => {
    const { email, headers } = await person(await world(), "owner");
    const { secret, recoveryCodes } = await withApp(headers);
    const [browser, other] = [new Browser(), new Browser()];
    expect(errorOf(await browser.signIn(email))).toBe("second_factor_required");
    expect(browser.hasSession).toBe(false);
    expect(await consoleSession(browser.headers)).toBeNull();
    expect(errorOf(await other.post("callback/credentials", { code: codeOf(secret) }))).toBe("sign_in_expired");
    expect(errorOf(await browser.post("callback/credentials", { code: "000000" }))).toBe("invalid_second_factor");
    expect(errorOf(await browser.post("callback/credentials", { passkey: "{" }))).toBe("invalid_second_factor");
    expect(errorOf(await browser.post("callback/credentials", {}))).toBe("invalid_second_factor");
    await browser.post("callback/credentials", { code: codeOf(secret) });
    expect(await consoleSession(browser.headers)).toMatchObject({ user: { email }, secondFactor: { isSetUp: true } });
    await other.signIn(email);
    await other.post("callback/credentials", { recoveryCode: recoveryCodes[0] });
    expect(await consoleSession(other.headers)).toMatchObject({ user: { email } });
  });

  it("a request without next-auth's CSRF token does not sign in", async () => {
    const { email } = await person(await world(), "owner");
    const browser = new Browser();
    await browser.ask("POST", "callback/credentials", { csrfToken: "x", email, password });
    expect(browser.hasSession).toBe(false);
  });

  it("a session changes to another organisation of the person, and not to one where they are no member", async () => {
    const [home, second, foreign] = [await world(), await world(), await world()];
    const { email } = await person(home, "owner");
    await acceptInvitation(visitor(), {
      token: tokenIn((await inviteMember(second.ctx, { email, role: "viewer" })).url),
      password,
    });
    const browser = new Browser();
    await browser.signIn(email);
    await browser.post("session", { data: { orgId: publicId("org", second.orgId) } });
    expect(await consoleSession(browser.headers)).toMatchObject({ current: { orgId: second.orgId, role: "viewer" } });
    for (const orgId of [publicId("org", foreign.orgId), { $ne: null }, null])
      await browser.post("session", { data: { orgId, sessionVersion: 9, userId: "usr_x" } });
    expect(await consoleSession(browser.headers)).toMatchObject({ current: { orgId: second.orgId } });
  });

  it("a new sign-in ends the browser's earlier session and stores its user agent", async () => {
    const { email } = await person(await world(), "owner");
    const browser = new Browser();
    await browser.signIn(email);
    const before = browser.headers;
    await browser.signIn(email);
    expect(await consoleSession(before)).toBeNull();
    const session = (await consoleSession(browser.headers))!;
    expect((await listOwnSessions(visitor(), session))[0]).toMatchObject({
      isCurrent: true,
      userAgent: "test browser",
    });
  });

  it("the cookie of an ended session is removed", async () => {
    const { email } = await person(await world(), "owner");
    const browser = new Browser();
    await browser.signIn(email);
    await endSessions(visitor(), (await consoleSession(browser.headers))!, {});
    await browser.ask("GET", "session");
    expect(browser.hasSession).toBe(false);
  });
});
