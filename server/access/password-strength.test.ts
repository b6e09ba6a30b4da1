import { expect, it } from "vitest";
import { inviteMember } from "@/server/organisations/invite-member";
import { completeSetup } from "@/server/organisations/complete-setup";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { password, person, tokenIn, visitor } from "@/server/testing/person";
import { runTrpc } from "@/server/testing/trpc";
import { world } from "@/server/testing/world";
import { changePassword } from "./change-password";
import { consoleSession } from "./console-session";
import { createPasswordReset } from "./create-password-reset";
import { resetPassword } from "./reset-password";

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "taken",
    (error: { extras: { errors?: { pointer: string; message: string }[] } }) => error.extras.errors?.[0] ?? error,
  );

it.each([
  ["password1234", /close to one that many people use/],
  ["Password123!", /close to one that many people use/],
  ["1qaz2wsx3edc", /breached/],
  ["qwertyuiop12", /too easy to guess/],
  ["123456789012", /too easy to guess/],
  ["abcdefghijkl", /alphabet/],
  ["letmeinletmein", /repeats itself/],
  ["november2026", /too easy to guess/],
  ["short", /at least 12 characters/],
])("the new password %s is refused", async (weak, why) => {
  const home = await world();
  const { email, headers } = await person(home, "owner");
  expect(
    await refusal(changePassword(visitor(), (await consoleSession(headers))!, { current: password, password: weak })),
  ).toMatchObject({ pointer: "/password", message: expect.stringMatching(why) });
  const reset = tokenIn((await createPasswordReset(home.ctx, { email })).url);
  expect(await refusal(resetPassword(visitor(), { token: reset, password: weak }))).toMatchObject({
    pointer: "/password",
  });
  const invitation = tokenIn((await inviteMember(home.ctx, { email: `new-${email}`, role: "viewer" })).url!);
  expect(await refusal(acceptInvitation(visitor(), { token: invitation, password: weak }))).toMatchObject({
    pointer: "/password",
  });
});

it("a new password must not contain the name of the e-mail address or of an organisation", async () => {
  const home = await world();
  const email = `Grace.Hopper-${Date.now()}@example.edu`.toLowerCase();
  const { headers } = await person(home, "owner", email);
  const name = email.split("@")[0]!;
  const session = (await consoleSession(headers))!;
  const reset = async (chosen: string) =>
    refusal(
      resetPassword(visitor(), {
        token: tokenIn((await createPasswordReset(home.ctx, { email })).url),
        password: chosen,
      }),
    );
  const change = (chosen: string) =>
    refusal(changePassword(visitor(), session, { current: password, password: chosen }));
  const accept = async (chosen: string) =>
    refusal(
      acceptInvitation(visitor(), {
        token: tokenIn((await inviteMember(home.ctx, { email: `${name}@example.org`, role: "viewer" })).url!),
        password: chosen,
      }),
    );
  for (const attempt of [reset, change, accept]) {
    expect(await attempt(`${name} likes ships`)).toMatchObject({
      message: expect.stringContaining("name of your e-mail address"),
    });
    expect(await attempt("our Organisations 2026!")).toMatchObject({
      message: expect.stringContaining("name of your organisation or a word of it"),
    });
    expect(await attempt("at TEST-organisation since ever")).toMatchObject({
      message: expect.stringContaining("name of your organisation"),
    });
  }
  expect(await change("compilers sail around the world")).toBe("taken");
});

const weak = "p@$$w0rd".repeat(20);

it("the link or the current password is checked before the strength of a new password", async () => {
  const { headers } = await person(await world(), "owner");
  const unusable = { code: "link_unusable" };
  await expect(resetPassword(visitor(), { token: "unknown", password: weak })).rejects.toMatchObject(unusable);
  await expect(acceptInvitation(visitor(), { token: "unknown", password: weak })).rejects.toMatchObject(unusable);
  await expect(
    completeSetup(visitor(), { token: "unknown", organisationName: "A", email: "a@example.edu", password: weak }),
  ).rejects.toMatchObject(unusable);
  await expect(
    changePassword(visitor(), (await consoleSession(headers))!, { current: "wrong", password: weak }),
  ).rejects.toMatchObject({ code: "invalid_credentials" });
});

it("attempts to use links are limited per network, and successful ones do not count", async () => {
  const home = await world();
  const { email } = await person(home, "owner");
  const guesser = visitor();
  const attempt = (token: string) => resetPassword(guesser, { token, password: "compilers sail around the world" });
  for (let i = 0; i < 29; i++) await expect(attempt("unknown")).rejects.toMatchObject({ code: "link_unusable" });
  for (let i = 0; i < 2; i++)
    expect(await attempt(tokenIn((await createPasswordReset(home.ctx, { email })).url))).toEqual({ email });
  await expect(attempt("unknown")).rejects.toMatchObject({ code: "link_unusable" });
  await expect(attempt("unknown")).rejects.toMatchObject({ code: "rate_limited" });
});

it("a password of 60 KB is refused only for its length", async () => {
  expect(
    await runTrpc("POST", "links.resetPassword", { token: "unknown", password: "p@$$w0rd".repeat(7500) }),
  ).toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/password", code: "too_big" }],
  });
});

it("only the first 64 characters of a new password are estimated", async () => {
  const { headers } = await person(await world(), "owner");
  const session = (await consoleSession(headers))!;
  const change = (chosen: string) =>
    refusal(changePassword(visitor(), session, { current: password, password: chosen }));
  expect(await change(`${"p@$$w0rd".repeat(8)} compilers sail around the world`)).toMatchObject({
    pointer: "/password",
  });
  expect(await change("compilers sail around the world ".repeat(6))).toBe("taken");
});
