import { expect, it } from "vitest";
import { parseEnv } from "./env";

const hostOf = (more: Record<string, string>) => parseEnv({ DATABASE_URL: "postgresql://db/x", BONAFIDE_SECRET: "s".repeat(32), ...more }).HOST;

it("without https the server listens on this machine alone, unless HOST says otherwise", () => {
  expect(hostOf({ PUBLIC_URL: "http://localhost:3000" })).toBe("127.0.0.1");
  expect(hostOf({ PUBLIC_URL: "http://bonafide.example.edu" })).toBe("127.0.0.1");
  expect(hostOf({ PUBLIC_URL: "https://bonafide.example.edu" })).toBe("0.0.0.0");
  expect(hostOf({ PUBLIC_URL: "http://localhost:3000", HOST: "::" })).toBe("::");
});
