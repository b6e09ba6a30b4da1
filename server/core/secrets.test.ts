import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";

const old = "the-master-secret-until-now-of-the-test";
const fresh = "the-new-master-secret-of-this-one-test";
afterEach(() => vi.unstubAllEnvs());

/** Loads the module as in a process with these secrets. */
async function secretsOf(current: string, previous = "") {
  vi.stubEnv("BONAFIDE_SECRET", current);
  vi.stubEnv("BONAFIDE_PREVIOUS_SECRET", previous);
  vi.resetModules();
  return import("./secrets");
}

/** Encrypts in the format from before ciphertexts had a key id. */
function legacy(plain: string, bound: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(
    "aes-256-gcm",
    Buffer.from(hkdfSync("sha256", old, "bonafide", "at-rest", 32)),
    nonce,
  ).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

describe("a ciphertext", () => {
  it("can be decrypted only in its place, and only unchanged", async () => {
    const { encrypt, decrypt } = await secretsOf(old);
    const sealed = encrypt("whsec_1", "webhook_endpoint\nwhe_1\nsecret");
    expect(decrypt(sealed, "webhook_endpoint\nwhe_1\nsecret")).toBe("whsec_1");
    expect(() => decrypt(sealed, "webhook_endpoint\nwhe_2\nsecret")).toThrow(/cannot be decrypted/);
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => decrypt(changed, "webhook_endpoint\nwhe_1\nsecret"), `byte ${at}`).toThrow(/cannot be decrypted/);
    }
    expect(() => decrypt(Buffer.alloc(3), "x")).toThrow(/cannot be decrypted/);
  });

  it("names its master secret, and can be decrypted while that is the current or the previous one", async () => {
    const sealed = (await secretsOf(old)).encrypt("{}", "org_1\nk");
    const rotating = await secretsOf(fresh, old);
    expect(rotating.decrypt(sealed, "org_1\nk")).toBe("{}");
    const [current, previous] = rotating.masters();
    expect(Buffer.from(sealed).subarray(0, 5)).toEqual(rotating.prefixOf(previous!));
    expect(Buffer.from(rotating.encrypt("{}", "org_1\nk")).subarray(0, 5)).toEqual(rotating.prefixOf(current!));
    const after = await secretsOf(fresh);
    expect(() => after.decrypt(sealed, "org_1\nk")).toThrow(/another master secret/);
  });

  it("from before key ids can be decrypted, even during a rotation", async () => {
    const sealed = legacy("whsec_1", "a\nb");
    expect((await secretsOf(old)).decrypt(sealed, "a\nb")).toBe("whsec_1");
    expect((await secretsOf(fresh, old)).decrypt(sealed, "a\nb")).toBe("whsec_1");
  });

  it("of another day has another key", async () => {
    const { encrypt, decrypt } = await secretsOf(old);
    const sealed = Buffer.from(encrypt("x", "a:1"));
    vi.useFakeTimers({ now: Date.now() + 86_400_000 });
    const tomorrow = Buffer.from(encrypt("x", "a:1"));
    vi.useRealTimers();
    expect(tomorrow.readUInt16BE(5)).toBe(sealed.readUInt16BE(5) + 1);
    expect([decrypt(sealed, "a:1"), decrypt(tomorrow, "a:1")]).toEqual(["x", "x"]);
  });
});

it("cursors and sessions from before a rotation are accepted while the previous secret is configured", async () => {
  const list = { binding: ["org_1"], fetch: async () => [1, 2, 3], count: async () => 3, keyOf: String };
  await secretsOf(old);
  const { nextCursor } = await (await import("./pagination")).paginate({ limit: 2 }, list);
  await secretsOf(fresh, old);
  expect((await (await import("./pagination")).paginate({ limit: 2, cursor: nextCursor! }, list)).data).toEqual([1, 2]);
  await secretsOf(fresh);
  await expect((await import("./pagination")).paginate({ limit: 2, cursor: nextCursor! }, list)).rejects.toThrow(
    /cursor/,
  );

  const { encode } = await import("next-auth/jwt");
  await secretsOf(old);
  const cookie = await encode({
    token: { userId: "usr_1" },
    secret: (await import("@/server/access/console-session")).sessionSecret(),
  });
  await secretsOf(fresh, old);
  expect(await (await import("@/server/access/console-session")).decodeSession(cookie)).toMatchObject({
    userId: "usr_1",
  });
  await secretsOf(fresh);
  expect(await (await import("@/server/access/console-session")).decodeSession(cookie)).toBeNull();
});
