import { describe, expect, test } from "vitest";
import { checkDatabase } from "./database-check.mjs";

const good = new URL(process.env.DATABASE_URL);
const like = (changes) => Object.assign(new URL(good), changes).href;

describe("an unusable database is explained", () => {
  test.each([
    ["a wrong password", like({ password: "wrong-secret" }), /refuses the user or password/],
    ["an unknown database", like({ pathname: "/nonesuch" }), /has no database "nonesuch"/],
    ["nothing that listens", like({ port: "1" }), /127\.0\.0\.1:1 does not answer/],
    ["an unknown host", like({ hostname: "nonesuch.invalid" }), /nonesuch\.invalid:\d+, is not known/],
    ["no URL", "postgresql://host:notaport/x", /is not a URL/],
    ["a name with a % that is not encoded", like({ pathname: "/100%zz" }), /is not a URL/],
    ["a password of bytes that are no text", like({ password: "%ff" }), /is not a URL/],
  ])("%s", async (_, url, message) => {
    const failure = await checkDatabase(url).catch((error) => error);
    expect(failure).toMatchObject({
      name: "Failure",
      message: expect.stringMatching(message),
      todo: expect.stringMatching(/\w+/),
    });
    expect(`${failure.message} ${failure.detail} ${failure.todo}`).not.toContain("wrong-secret");
  });

  test("a usable database reports its version", async () => {
    expect(await checkDatabase(good.href)).toMatch(/^\d+\.\d+/);
  });
});
