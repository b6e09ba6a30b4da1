import { describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { headersOf, person, visitor } from "@/server/testing/person";
import { codeOf, firstStep, sessionOf, withApp, withPasskey } from "@/server/testing/second-factor";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { consoleSession, sessionCookie } from "../console-session";
import { endSessions } from "../end-sessions";
import { completeSignIn } from "./complete-sign-in";
import { passkeySignInOptions } from "./passkey-sign-in-options";

const minute = 60_000;
const later = (ms: number) => visitor(new Date(Date.now() + ms));
const stranger = async () => person(await world(), "owner");

describe("signing in with an authenticator app", () => {
  it("asks for a code after the password, and the code starts the session", async () => {
    const home = await world();
    const { email, headers } = await person(home, "owner");
    const { secret } = await withApp(headers);
    const claims = await completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret) });
    expect(await consoleSession(await headersOf(claims))).toMatchObject({
      user: { email },
      current: { orgId: home.orgId },
    });
    const [entry] = await sql<{ detail: object }>(
      `SELECT detail FROM audit_entries WHERE org_id = $1 AND action = 'session.started' ORDER BY id DESC LIMIT 1`,
      [home.orgId],
    );
    expect(entry!.detail).toEqual({ proofs: ["password", "authenticator_app"] });
  });

  it("accepts a code with spaces and codes of one step before or after, but no older one", async () => {
    const { email, headers } = await stranger();
    const { secret } = await withApp(headers);
    await expect(completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret, -2) })).rejects.toMatchObject(
      { code: "invalid_second_factor" },
    );
    await expect(completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret, 3) })).rejects.toMatchObject({
      code: "invalid_second_factor",
    });
    const next = codeOf(secret, 1);
    await completeSignIn(visitor(), await firstStep(email), { code: `${next.slice(0, 3)} ${next.slice(3)}` });
  });

  it("refuses a used code, also in two concurrent sign-ins, and every earlier code", async () => {
    const { email, headers } = await stranger();
    const { secret } = await withApp(headers);
    const tokens = [await firstStep(email), await firstStep(email), await firstStep(email)];
    const at = await Promise.allSettled(
      tokens.map((token) => completeSignIn(visitor(), token, { code: codeOf(secret, 1) })),
    );
    expect(at.filter((a) => a.status === "fulfilled")).toHaveLength(1);
    for (const steps of [1, 0]) {
      await expect(
        completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret, steps) }),
      ).rejects.toMatchObject({ code: "invalid_second_factor" });
    }
  });

  it("limits the second step to five minutes and five answers", async () => {
    const { email, headers } = await stranger();
    const { secret } = await withApp(headers);
    const slow = await firstStep(email);
    await expect(completeSignIn(later(5 * minute + 1000), slow, { code: codeOf(secret, 10) })).rejects.toMatchObject({
      code: "sign_in_expired",
    });
    const guessed = await firstStep(email);
    for (let i = 0; i < 5; i++)
      await expect(completeSignIn(visitor(), guessed, { code: "000000" })).rejects.toMatchObject({
        code: "invalid_second_factor",
      });
    await expect(completeSignIn(visitor(), guessed, { code: codeOf(secret) })).rejects.toMatchObject({
      code: "sign_in_expired",
    });
  });

  it("limits guesses from one address, and at one account from many addresses", async () => {
    const { email, headers } = await stranger();
    await withApp(headers);
    const codes = [];
    const guesser = visitor();
    for (let i = 0; i < 6; i++)
      codes.push(
        await completeSignIn(guesser, await firstStep(email), { code: "000000" }).catch(
          (e: { code: string }) => e.code,
        ),
      );
    expect(codes).toEqual([...Array(5).fill("invalid_second_factor"), "rate_limited"]);
    const spread = [];
    for (let i = 0; i < 16; i++)
      spread.push(
        await completeSignIn(visitor(), await firstStep(email), { code: "000000" }).catch(
          (e: { code: string }) => e.code,
        ),
      );
    expect(spread.at(0)).toBe("invalid_second_factor");
    expect(spread.at(-1)).toBe("rate_limited");
  });

  it("still admits the person from where they signed in before, despite guesses from elsewhere", async () => {
    const { email, headers } = await stranger();
    const { secret } = await withApp(headers);
    const home = visitor();
    await completeSignIn(home, await firstStep(email), { code: codeOf(secret) });
    for (let i = 0; i < 20; i++)
      await completeSignIn(visitor(), await firstStep(email), { code: "000000" }).catch(() => undefined);
    await expect(completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret, 1) })).rejects.toMatchObject({
      code: "rate_limited",
    });
    await expect(completeSignIn(home, await firstStep(email), { code: codeOf(secret, 1) })).resolves.toBeDefined();
  });

  it("is refused without an answer, with an unknown token, a second time, and after the sessions were ended", async () => {
    const { email, headers } = await stranger();
    const { secret } = await withApp(headers);
    const token = await firstStep(email);
    await expect(completeSignIn(visitor(), token, {})).rejects.toMatchObject({ code: "invalid_second_factor" });
    await expect(completeSignIn(visitor(), "unknown", { code: codeOf(secret) })).rejects.toMatchObject({
      code: "sign_in_expired",
    });
    await completeSignIn(visitor(), token, { code: codeOf(secret) });
    await expect(completeSignIn(visitor(), token, { code: codeOf(secret, 1) })).rejects.toMatchObject({
      code: "sign_in_expired",
    });
    const ended = await firstStep(email);
    await endSessions(visitor(), await sessionOf(headers), {});
    await expect(completeSignIn(visitor(), ended, { code: codeOf(secret, 1) })).rejects.toMatchObject({
      code: "sign_in_expired",
    });
  });

  it("gives no access with the token of an unfinished sign-in", async () => {
    const { email, headers } = await stranger();
    await withApp(headers);
    const token = await firstStep(email);
    expect(await consoleSession(new Headers({ cookie: `${sessionCookie().name}=${token}` }))).toBeNull();
  });

  it("stores the secret encrypted", async () => {
    const { headers, claims } = await stranger();
    const { secret } = await withApp(headers);
    const [row] = await sql<{ secret: Buffer }>(`SELECT secret FROM authenticator_apps WHERE user_id = $1`, [
      claims.userId,
    ]);
    expect(Buffer.from(row!.secret).toString("latin1")).not.toContain(secret);
  });
});

describe("signing in with a recovery code", () => {
  it("accepts each of the ten codes once, in any spelling", async () => {
    const { email, headers, claims } = await stranger();
    const { recoveryCodes } = await withApp(headers);
    expect(new Set(recoveryCodes)).toHaveLength(10);
    const [first, second] = recoveryCodes as [string, string];
    await completeSignIn(visitor(), await firstStep(email), { recoveryCode: first });
    await expect(completeSignIn(visitor(), await firstStep(email), { recoveryCode: first })).rejects.toMatchObject({
      code: "invalid_second_factor",
    });
    await completeSignIn(visitor(), await firstStep(email), {
      recoveryCode: ` ${second.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")}`,
    });
    const stored = await sql<{ all: string }>(
      `SELECT row_to_json(c)::text AS all FROM recovery_codes c WHERE user_id = $1`,
      [claims.userId],
    );
    for (const code of recoveryCodes) expect(JSON.stringify(stored)).not.toContain(code);
  });

  it("refuses another person's code", async () => {
    const [one, other] = [await stranger(), await stranger()];
    await withApp(one.headers);
    const { recoveryCodes } = await withApp(other.headers);
    await expect(
      completeSignIn(visitor(), await firstStep(one.email), { recoveryCode: recoveryCodes[0]! }),
    ).rejects.toMatchObject({ code: "invalid_second_factor" });
  });
});

describe("signing in with a passkey", () => {
  it("completes a sign-in as the second factor, also without user verification", async () => {
    const { email, headers } = await stranger();
    const { authenticator } = await withPasskey(headers);
    const token = await firstStep(email);
    const { options } = await passkeySignInOptions(visitor(), token);
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.id }]);
    expect(
      await completeSignIn(visitor(), token, { passkey: authenticator.get(options, { userVerified: false }) }),
    ).toMatchObject({ orgId: expect.any(String) });
  });

  it("signs in without a password only with user verification, and records the use", async () => {
    const home = await world();
    const { headers, claims } = await person(home, "owner");
    const { authenticator, id } = await withPasskey(headers);
    const attempt = async (userVerified: boolean) => {
      const { options, token } = await passkeySignInOptions(visitor(), undefined);
      expect(options).toMatchObject({ userVerification: "required", allowCredentials: undefined });
      return completeSignIn(visitor(), token!, { passkey: authenticator.get(options, { userVerified }) });
    };
    await expect(attempt(false)).rejects.toMatchObject({ code: "invalid_second_factor" });
    expect(await attempt(true)).toMatchObject({ userId: claims.userId });
    const [row] = await sql<{ last_used_at: Date | null }>(`SELECT last_used_at FROM passkeys WHERE id = $1`, [id]);
    expect(row!.last_used_at).not.toBeNull();
    expect(await auditOf(home.orgId)).toContain("user.passkey_added");
  });

  it("refuses an answer for another site, to another challenge, of a copied key, and of another person", async () => {
    const [one, other] = [await stranger(), await stranger()];
    const { authenticator } = await withPasskey(one.headers);
    const foreign = await withPasskey(other.headers);
    const attempt = async (answer: (options: { challenge: string }) => Parameters<typeof completeSignIn>[2]) => {
      const token = await firstStep(one.email);
      const { options } = await passkeySignInOptions(visitor(), token);
      return completeSignIn(visitor(), token, answer(options)).then(
        () => "in",
        (e: { code: string }) => e.code,
      );
    };
    const refused = "invalid_second_factor";
    expect(
      await attempt((options) => ({ passkey: authenticator.get(options, { origin: "https://evil.example" }) })),
    ).toBe(refused);
    expect(await attempt(() => ({ passkey: authenticator.get({ challenge: "AAAA" }) }))).toBe(refused);
    expect(await attempt((options) => ({ passkey: foreign.authenticator.get(options) }))).toBe(refused);
    expect(await attempt((options) => ({ passkey: authenticator.get(options) }))).toBe("in");
    authenticator.counter = 0;
    expect(await attempt((options) => ({ passkey: authenticator.get(options) }))).toBe(refused);
  });

  it("refuses a code for an account that has no app", async () => {
    const { email, headers } = await stranger();
    await withPasskey(headers);
    const token = await firstStep(email);
    await expect(completeSignIn(visitor(), token, { code: "123456" })).rejects.toMatchObject({
      code: "invalid_second_factor",
    });
  });
});
