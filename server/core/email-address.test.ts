import { describe, expect, it } from "vitest";
import { accountEmail, emailAddress } from "./email-address";

describe("an e-mail address", () => {
  it("keeps the case that people write, but for signing in", () => {
    expect(emailAddress.parse(" Ada@Example.edu ")).toBe("Ada@Example.edu");
    expect(accountEmail.parse(" Ádá@Bücher.Example ")).toBe("ádá@bücher.example");
  });

  it("is one however its letters are composed", () => {
    expect(emailAddress.parse("jose\u0301@example.edu")).toBe("jos\u00e9@example.edu");
  });

  it.each(["ada@[127.0.0.1]", "ada@127.0.0.1", '"ada lovelace"@example.edu', "ada@example.edu,eve@example.edu", "Ada <ada@example.edu>", "ada@ex\u200bample.edu"])("is not %j", (text) => {
    expect(emailAddress.safeParse(text).success).toBe(false);
  });
});
