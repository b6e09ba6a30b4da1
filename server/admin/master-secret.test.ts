import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { migrationFrom, migrationsOf } from "@/scripts/migrations/migrations.mjs";
import { prepareDatabase } from "@/scripts/service/prepare-database.mjs";
import { masterSecrets, secretsToBeginWith } from "@/scripts/service/secret.mjs";
import { pool } from "@/server/core/db";
import { encrypt } from "@/server/core/secrets";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { checkMasterSecret, recordMasterSecret } from "./master-secret";

const first = "the-first-master-secret-of-this-test";
const second = "the-second-master-secret-of-this-test";
let folder: string;

beforeAll(ownDatabase);
beforeEach(async () => {
  await pool().query("DELETE FROM master_secret");
  vi.stubEnv("BONAFIDE_SECRET", "");
  vi.stubEnv("BONAFIDE_PREVIOUS_SECRET", "");
  folder = mkdtempSync(join(tmpdir(), "secret-"));
  return () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  };
});

/** Checks the master secret as `npm start` does before it serves. */
const start = (secret = "", previous = "") => {
  vi.stubEnv("BONAFIDE_SECRET", secret);
  vi.stubEnv("BONAFIDE_PREVIOUS_SECRET", previous);
  return masterSecrets(folder, process.env["DATABASE_URL"]!, recordMasterSecret);
};

describe("the master secret of an empty database", () => {
  it("is generated once, stored, and readable only by its owner", async () => {
    const { BONAFIDE_SECRET: made } = await start();
    expect(Buffer.from(made, "base64url")).toHaveLength(32);
    expect((await start()).BONAFIDE_SECRET).toBe(made);
    expect(readFileSync(join(folder, "secret"), "utf8").trim()).toBe(made);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  });

  it("is taken from the environment first, and then none is generated", async () => {
    expect((await start(first)).BONAFIDE_SECRET).toBe(first);
    expect(statSync(join(folder, "secret"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("is not replaced if its file is empty", async () => {
    writeFileSync(join(folder, "secret"), "\n");
    await expect(start()).rejects.toThrow(/is empty: the master secret that was in it is lost/);
    await expect(start()).rejects.toMatchObject({ todo: expect.stringContaining("secret reset") as string });
  });

  it("is made once by servers that share the folder and start together", async () => {
    const made = await Promise.all([start(), start(), start()]);
    expect(new Set(made.map(({ BONAFIDE_SECRET }) => BONAFIDE_SECRET)).size).toBe(1);
    expect(readFileSync(join(folder, "secret"), "utf8").trim()).toBe(made[0]!.BONAFIDE_SECRET);
  });
});

describe("a secret in a file that cannot be one", () => {
  it.each(["secret", "secret.previous"])("is refused if %s is too short, and nothing is written", async (name) => {
    const path = join(folder, name);
    if (name === "secret.previous") writeFileSync(join(folder, "secret"), `${first}\n`);
    writeFileSync(path, "too short\n");
    await expect(start()).rejects.toThrow(`${path} is too short for a master secret: it has 9 characters`);
    expect((await pool().query("SELECT FROM master_secret")).rowCount).toBe(0);
    writeFileSync(path, `${second}\n`);
    expect(Object.values(await start())).toContain(second);
  });

  it("is refused in words if a folder is in its place", async () => {
    mkdirSync(join(folder, "secret"));
    await expect(start()).rejects.toThrow(/secret cannot be read: a folder is in its place/);
  });

  it.each(["", "too short"])("is replaced by `secret reset` once that is confirmed: %j", (text) => {
    const path = join(folder, "secret");
    writeFileSync(path, text);
    secretsToBeginWith(folder, { keep: false });
    expect(readFileSync(path, "utf8")).toBe(text);
    const { BONAFIDE_SECRET: made } = secretsToBeginWith(folder, { keep: true });
    expect(readFileSync(path, "utf8").trim()).toBe(made);
  });
});

describe("a start on a database that was used with a master secret", () => {
  it("is refused with another secret, with a message that says what to do", async () => {
    await start(first);
    await expect(start(second)).rejects.toThrow(/not the one that this database was used with/);
    await expect(start(second)).rejects.toMatchObject({
      todo: expect.stringContaining("BONAFIDE_PREVIOUS_SECRET") as string,
    });
    expect((await start(first)).BONAFIDE_SECRET).toBe(first);
  });

  it("is refused before any migration, so that the previous version still starts", async () => {
    await start(first);
    const url = process.env["DATABASE_URL"]!;
    const later = migrationFrom("99999999999999_later", "CREATE TABLE later (id int)");
    const begin = (secret: string) => {
      vi.stubEnv("BONAFIDE_SECRET", secret);
      return prepareDatabase(
        folder,
        { url, ownerUrl: url },
        { check: checkMasterSecret, settle: recordMasterSecret, migrations: [...migrationsOf(), later] },
      );
    };
    const isThere = async () =>
      (await pool().query<{ there: boolean }>("SELECT to_regclass('later') IS NOT NULL AS there")).rows[0]!.there;
    await expect(begin(second)).rejects.toThrow(/not the one/);
    await expect(begin("")).rejects.toThrow(/secret is missing/);
    expect(await isThere()).toBe(false);
    expect(await begin(first)).toMatchObject({ applied: [later.name], secrets: { BONAFIDE_SECRET: first } });
    expect(await isThere()).toBe(true);
    await pool().query("DROP TABLE later");
    await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [later.name]);
  });

  it("is refused without a secret and generates none, even if the database has no fingerprint yet", async () => {
    await start(first);
    await expect(start()).rejects.toThrow(/secret is missing/);
    await pool().query("DELETE FROM master_secret");
    await world();
    await expect(start()).rejects.toThrow(/secret is missing/);
    expect(statSync(join(folder, "secret"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("that has no fingerprint yet is accepted with the secret that opens its encrypted values, and refused with another", async () => {
    const { orgId } = await world();
    const mine = "a-secret-of-the-tests-and-nothing-else";
    await pool().query(
      "INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) VALUES ($1, 'k', 'f', 200, $2, now())",
      [orgId, Buffer.from(encrypt("{}", `${orgId}\nk`))],
    );
    await expect(start(second)).rejects.toThrow(/not the one/);
    expect((await start(mine)).BONAFIDE_SECRET).toBe(mine);
    await pool().query("DELETE FROM idempotency_records WHERE org_id = $1", [orgId]);
  });

  it("begins a rotation if the previous secret is given too, requires it until all is re-encrypted, and can be rolled back", async () => {
    // The keys of the issuers that earlier tests made are encrypted with the secret of the tests.
    await pool().query("DELETE FROM issuer_keys");
    await start(first);
    expect(await start(second, first)).toEqual({ BONAFIDE_SECRET: second, BONAFIDE_PREVIOUS_SECRET: first });
    await expect(start(second)).rejects.toThrow(/not finished/);
    await expect(start(first)).rejects.toThrow(/was rotated/);
    await expect(start("a-third-master-secret-of-this-test-here", second)).rejects.toThrow(/not finished/);
    await start(first, second);
    await start(second, first);
  });
});
