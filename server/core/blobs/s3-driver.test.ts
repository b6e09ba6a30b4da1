import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import dns from "node:dns";
import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { S3Settings } from "./s3-client";
import { s3Driver } from "./s3-driver";
import { receiveUpload } from "./upload";

// Servers that speak S3. The first one verifies signatures. The second one has the bucket in the host name; it computes
// signatures of such requests over another path than AWS, so it accepts any signature.
let folder: string;
const servers: S3rver[] = [];
let port: number;
let portByHost: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bonafide-s3-"));
  const start = async (options: { serviceEndpoint?: string; allowMismatchedSignatures?: boolean }) => {
    const server = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: "files", configs: [] }],
      ...options,
    });
    servers.push(server);
    return (await server.run()).port;
  };
  port = await start({});
  portByHost = await start({ serviceEndpoint: "example", allowMismatchedSignatures: true });
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => vi.restoreAllMocks());

const settings = (changed: Partial<S3Settings> = {}): S3Settings => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: "eu-central-1",
  bucket: "files",
  accessKeyId: "S3RVER",
  secretAccessKey: "S3RVER",
  pathStyle: true,
  ...changed,
});

async function* pieces(bytes: Buffer, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const upload = (bytes: Buffer) => receiveUpload(pieces(bytes), bytes.length);
const read = async (blob: { chunks: AsyncIterable<Uint8Array> } | null) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob!.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Resolves every name to this machine, because virtual-host requests put the bucket before the store's host name. */
function resolveLocally() {
  const lookup = (_: string, options: { all?: boolean }, done: (...args: unknown[]) => void) =>
    options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
  vi.spyOn(dns, "lookup").mockImplementation(lookup as never);
}

describe.each([
  ["path-style", true],
  ["virtual-host", false],
] as const)("an S3-compatible store, %s", (_, pathStyle) => {
  const driver = () => {
    if (!pathStyle) resolveLocally();
    return s3Driver(settings({ pathStyle, ...(!pathStyle && { endpoint: `http://s3.example:${portByHost}` }) }));
  };

  it("stores, reads, finds and deletes a file of several megabytes", async () => {
    const s3 = driver();
    const bytes = randomBytes(3 * 1024 * 1024 + 17);
    const file = await upload(bytes);
    const key = `org_x/${file.sha256.slice(0, 2)}/${file.sha256}`;
    expect([await s3.exists(key), await s3.open(key)]).toEqual([false, null]);
    await s3.put(key, file);
    await s3.put(key, file);
    expect(await s3.exists(key)).toBe(true);
    const blob = await s3.open(key);
    expect(blob!.size).toBe(bytes.length);
    expect(
      createHash("sha256")
        .update(await read(blob))
        .digest("hex"),
    ).toBe(file.sha256);
    await s3.delete(key);
    await s3.delete(key);
    expect(await s3.exists(key)).toBe(false);
    await file.discard();
  });
});

it("throws unavailable for a wrong secret, a missing bucket and an unreachable store, and says so", async () => {
  const file = await upload(Buffer.from("x"));
  const nobody = createServer().listen(0, "127.0.0.1");
  await once(nobody, "listening");
  const { port: closed } = nobody.address() as { port: number };
  nobody.close();
  for (const wrong of [{ secretAccessKey: "wrong" }, { bucket: "none" }, { endpoint: `http://127.0.0.1:${closed}` }]) {
    await expect(s3Driver(settings(wrong)).put("org_x/aa/x", file)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("file store"),
    });
  }
});
