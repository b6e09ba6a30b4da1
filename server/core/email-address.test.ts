import { describe, expect, it } from "vitest";
import { accountEmail, emailAddress } from "./email-address";

describe("an e-mail address", () => {
  it("keeps its case, except for signing in", () => {
    expect(emailAddress.parse(" Ada@Example.edu ")).toBe("Ada@Example.edu");
    expect(accountEmail.parse(" Ádá@Bücher.Example ")).toBe("ádá@bücher.example");
  });

  it("is normalised to composed letters (NFC)", () => {
    expect(emailAddress.parse("jose\u0301@example.edu")).toBe("jos\u00e9@example.edu");
  });

  it("is not checked further if it is too long", () => {
    const ideographs = Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    expect(emailAddress.safeParse(`ada@${ideographs}.example`).error!.issues.map(({ code }) => code)).toEqual([
      "too_big",
    ]);
  });

  it.each([`ada@${"例".repeat(64)}.example`, `ada@${"a.".repeat(127)}example`, "ada@example.edu,"])(
    "cannot have a label or domain that DNS does not allow: %j",
    (text) => {
      expect(emailAddress.safeParse(text).success).toBe(false);
    },
  );

  it.each([
    "ada@[127.0.0.1]",
    "ada@127.0.0.1",
    '"ada lovelace"@example.edu',
    "ada@example.edu,eve@example.edu",
    "Ada <ada@example.edu>",
    "ada@ex\u200bample.edu",
  ])("cannot be %j", (text) => {
    expect(emailAddress.safeParse(text).success).toBe(false);
  });
});
