import { describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { password, person, tokenIn, visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { createPasswordReset } from "./create-password-reset";
import { resetPassword } from "./reset-password";
import { signIn } from "./sign-in";

const wrong = "not the right password";
const refusal = async (attempt: Promise<unknown>) => {
  const error = (await attempt.then(
    () => null,
    (e: unknown) => e,
  )) as { code: string; message: string; extras: { headers?: Record<string, string> } };
  return { code: error.code, message: error.message, retryAfter: error.extras.headers?.["retry-after"] };
};

describe("signing in", () => {
  it("accepts the password of an argon2id hash, and leaves an audit entry", async () => {
    const home = await world();
    const { email } = await person(home, "owner");
    expect(await signIn(visitor(), { email: ` ${email.toUpperCase()}`, password })).toMatchObject({
      orgId: home.orgId,
      sessionVersion: 1,
    });
    expect((await auditOf(home.orgId)).filter((a) => a === "session.started")).toHaveLength(2);
    const [user] = await sql<{ password_hash: string }>(`SELECT password_hash FROM users WHERE email = $1`, [email]);
    expect(user!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("gives the same answer for an unknown address and a wrong password", async () => {
    const { email } = await person(await world(), "owner");
    const known = await refusal(signIn(visitor(), { email, password: wrong }));
    expect(known).toMatchObject({ code: "invalid_credentials" });
    expect(await refusal(signIn(visitor(), { email: "nobody@example.edu", password: wrong }))).toEqual(known);
    expect(await refusal(signIn(visitor(), { email, password: "" }))).toEqual(known);
  });

  it("is refused after five wrong passwords from one address, also when they are sent at once", async () => {
    const { email } = await person(await world(), "owner");
    const guesser = visitor();
    const guesses = await Promise.all(
      Array.from({ length: 8 }, () => refusal(signIn(guesser, { email, password: wrong }))),
    );
    expect(guesses.map((g) => g.code).sort()).toEqual([
      ...Array(5).fill("invalid_credentials"),
      ...Array(3).fill("rate_limited"),
    ]);
    const now = await refusal(signIn(guesser, { email, password }));
    expect(now.code).toBe("rate_limited");
    expect(Number(now.retryAfter)).toBeGreaterThan(0);
    expect(await signIn(visitor(), { email, password })).toMatchObject({ sessionVersion: 1 });
  });

  it("resets the count of wrong passwords after the right one", async () => {
    const { email } = await person(await world(), "owner");
    const forgetful = visitor();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await refusal(signIn(forgetful, { email, password: wrong }));
      expect(await signIn(forgetful, { email, password })).toMatchObject({ sessionVersion: 1 });
    }
  });

  it("is refused for an address that tries many accounts", async () => {
    const walker = visitor();
    const guesses = [];
    for (let i = 0; i < 51; i++)
      guesses.push(await refusal(signIn(walker, { email: `nobody-${i}@example.edu`, password: wrong })));
    expect(guesses.at(49)!.code).toBe("invalid_credentials");
    expect(guesses.at(50)!.code).toBe("rate_limited");
  });

  it("limits guesses from many addresses, and still admits the person from where they signed in before", async () => {
    const { email } = await person(await world(), "owner");
    const usual = visitor();
    await signIn(usual, { email, password });
    const tries = [];
    for (let i = 0; i < 110; i++) tries.push(await refusal(signIn(visitor(), { email, password: wrong })));
    expect(tries.map((each) => each.code)).toEqual([
      ...Array(100).fill("invalid_credentials"),
      ...Array(10).fill("rate_limited"),
    ]);
    expect(Number(tries.at(-1)!.retryAfter)).toBeGreaterThan(3600);
    expect((await refusal(signIn(visitor(), { email, password }))).code).toBe("rate_limited");
    expect(await signIn({ ...visitor(), address: usual.address }, { email, password })).toMatchObject({
      sessionVersion: 1,
    });
  });

  it("resets the account's budget of guesses with a new password", async () => {
    const home = await world();
    const { email } = await person(home, "owner");
    for (let i = 0; i < 101; i++) await refusal(signIn(visitor(), { email, password: wrong }));
    const { url } = await createPasswordReset(home.ctx, { email });
    await resetPassword(visitor(), { token: tokenIn(url), password: "a wholly new password" });
    expect(await signIn(visitor(), { email, password: "a wholly new password" })).toMatchObject({ sessionVersion: 2 });
  });

  it("checks the address's limit first, and guesses that it refuses do not count against the account", async () => {
    const { email } = await person(await world(), "owner");
    const walker = visitor();
    for (let i = 0; i < 50; i++) await refusal(signIn(walker, { email: `nobody-${i}@example.edu`, password: wrong }));
    for (let i = 0; i < 200; i++)
      expect((await refusal(signIn(walker, { email, password: wrong }))).code).toBe("rate_limited");
    expect((await refusal(signIn(visitor(), { email, password: wrong }))).code).toBe("invalid_credentials");
  });

  it("counts all addresses of an IPv6 network together", async () => {
    const { email } = await person(await world(), "owner");
    const from = (address: string) => ({ ...visitor(), address });
    for (let i = 1; i <= 5; i++) await refusal(signIn(from(`2001:db8:0:7::${i}`), { email, password: wrong }));
    expect((await refusal(signIn(from("2001:db8:0:7::6"), { email, password }))).code).toBe("rate_limited");
    expect(await signIn(from("2001:db8:0:8::1"), { email, password })).toMatchObject({ sessionVersion: 1 });
  });
});
