import { gzipSync } from "node:zlib";
import {
  config,
  createMessage,
  encrypt,
  encryptSessionKey,
  enums,
  generateKey,
  generateSessionKey,
  LiteralDataPacket,
  PacketList,
  SymmetricallyEncryptedDataPacket,
  type Key,
} from "openpgp";
import { beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { listSubjects } from "@/server/subjects/list";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { Feed, fileOf, mapping, numbers } from "../testing/feed";
import { encrypted, encryptedBomb, keyPair, passphrase } from "../testing/pgp";

beforeAll(ownDatabase);

async function open(w: World, body: object = {}) {
  const pair = await keyPair();
  const feed = await Feed.open(w, {
    missing: "deactivate",
    pgpKey: { privateKey: pair.privateKey, passphrase },
    ...body,
  });
  return { feed, ...pair };
}

const active = async ({ ctx }: World) => (await listSubjects(ctx, { status: "active", offset: 0 })).total;

describe("a file that is encrypted to the key of its connector", () => {
  it("is applied, binary or armoured, compressed or not, and so is an unencrypted file", async () => {
    const w = await world();
    const { feed, publicKey } = await open(w);
    const first = await feed.upload(await encrypted(fileOf([1, 2]), publicKey));
    expect(first).toMatchObject({ status: "succeeded", counts: { created: 2 } });
    const message = await createMessage({ text: fileOf([1, 2, 3]) });
    const armoured = (await encrypt({ message, encryptionKeys: publicKey })) as string;
    expect(await feed.upload(armoured)).toMatchObject({ status: "succeeded", counts: { created: 1, unchanged: 2 } });
    const packed = await encrypted(gzipSync(fileOf(numbers(1, 4))), publicKey);
    expect(await feed.upload(packed)).toMatchObject({ status: "succeeded", counts: { created: 1, unchanged: 3 } });
    expect(await feed.upload(fileOf(numbers(1, 5)))).toMatchObject({ status: "succeeded", counts: { created: 1 } });
  });

  it("can be previewed", async () => {
    const { feed, publicKey } = await open(await world());
    const form = new FormData();
    form.set("connectorId", feed.id);
    form.set("file", new Blob([(await encrypted(fileOf([1, 2]), publicKey)) as BlobPart]), "people.csv.pgp");
    const { body, headers } = new Response(form);
    const answer = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      raw: Buffer.from(await new Response(body).arrayBuffer()),
      headers: { "content-type": headers.get("content-type")! },
    });
    expect(answer.json()).toMatchObject({ counts: { created: 2 }, errorSummary: null });
  });

  it("is applied with the present key after the key was replaced", async () => {
    const { feed, publicKey: old } = await open(await world());
    const next = await keyPair();
    const changed = await call("PATCH", `/v1/connectors/${feed.id}`, {
      token: feed.token,
      body: { pgpKey: { privateKey: next.privateKey, passphrase } },
    });
    expect(changed.json()).toMatchObject({ pgp: { fingerprint: next.publicKey.getFingerprint().toUpperCase() } });
    expect(await feed.upload(await encrypted(fileOf([1]), next.publicKey))).toMatchObject({ status: "succeeded" });
    expect((await feed.upload(await encrypted(fileOf([1]), old))).errorSummary).toMatchObject({ code: "wrong_key" });
  });
});

describe("a file that cannot be trusted", () => {
  it("fails with its reason and deactivates nobody: another key, a password, no key, cut off, altered, without MDC", async () => {
    const w = await world();
    const { feed, publicKey } = await open(w);
    await feed.upload(fileOf(numbers(1, 5)));
    const good = Buffer.from(await encrypted(fileOf([1]), publicKey));
    const altered = Buffer.from(good);
    altered[altered.length - 30]! ^= 1;
    const message = await createMessage({ text: fileOf([1]) });
    const files: [string, string | Uint8Array][] = [
      ["wrong_key", await encrypted(fileOf([1]), (await keyPair()).publicKey)],
      ["wrong_key", (await encrypt({ message, passwords: "secret", format: "binary" })) as Uint8Array],
      ["broken_encryption", good.subarray(0, -10)],
      ["broken_encryption", good.subarray(0, 60)],
      ["broken_encryption", altered],
      ["unprotected_file", await withoutMdc(fileOf([1]), publicKey)],
    ];
    for (const [code, file] of files) {
      const run = await feed.upload(file);
      expect([run.status, run.errorSummary?.code, run.counts.deactivated]).toEqual(["failed", code, 0]);
      expect(run.errorSummary!.message).toContain("Nobody was changed.");
    }
    await call("PATCH", `/v1/connectors/${feed.id}`, { token: feed.token, body: { pgpKey: null } });
    expect((await feed.upload(good)).errorSummary).toMatchObject({ code: "encrypted_file" });
    expect(await active(w)).toBe(5);
  });

  it("is limited if it unpacks to much more", async () => {
    const { feed, publicKey } = await open(await world());
    const bomb = await encryptedBomb(600, publicKey);
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    expect(await feed.upload(bomb)).toMatchObject({ status: "failed", errorSummary: { code: "too_large" } });
  }, 120_000);
});

describe("the key of a connector", () => {
  it("is stored encrypted, and never returned in answers or audit entries", async () => {
    const w = await world();
    const { feed, privateKey } = await open(w);
    const { pgp } = (await feed.get("")).json<{ pgp: { publicKey: string } }>();
    expect(pgp.publicKey).toContain("BEGIN PGP PUBLIC KEY BLOCK");
    const body = privateKey.split(/\r?\n/).slice(3, 6).join("");
    const told = (await feed.get("")).text + JSON.stringify(await auditOf(w.orgId));
    expect([told.includes("PRIVATE KEY"), told.includes(passphrase)]).toEqual([false, false]);
    const [row] = await sql<{ key: Buffer }>(`SELECT pgp_key AS key FROM connectors WHERE org_id = $1`, [w.orgId]);
    expect([row!.key.includes(passphrase), row!.key.includes(body)]).toEqual([false, false]);
  });

  it("is refused if it is not a private key, has another passphrase, only signs, or the connector takes no files", async () => {
    const w = await world();
    const token = await w.key();
    const { privateKey, publicKey } = await keyPair();
    const signs = await generateKey({ userIDs: [{ name: "x" }], subkeys: [] });
    const create = async (pgpKey: object, type: object = { type: "csv", mapping }) =>
      (await call("POST", "/v1/connectors", { token, body: { name: "x", ...type, pgpKey } })).json<{
        errors: { pointer: string }[];
      }>().errors?.[0]!.pointer;
    expect([
      await create({ privateKey: "nonsense" }),
      await create({ privateKey: publicKey.armor() }),
      await create({ privateKey, passphrase: "wrong" }),
      await create({ privateKey: signs.privateKey }),
      await create({ privateKey, passphrase }, { type: "scim" }),
    ]).toEqual(["/pgpKey/privateKey", "/pgpKey/privateKey", "/pgpKey/passphrase", "/pgpKey/privateKey", "/pgpKey"]);
    // Each subkey has its own hash of the passphrase, and Argon2 can demand any amount of memory.
    const owner = { userIDs: [{ name: "x" }], passphrase };
    const many = await generateKey({ ...owner, subkeys: Array.from({ length: 8 }, () => ({})) });
    const argon2 = await generateKey({ ...owner, config: { s2kType: enums.s2k.argon2, aeadProtect: true } });
    for (const costly of [many, argon2])
      expect(await create({ privateKey: costly.privateKey, passphrase })).toBe("/pgpKey/privateKey");
  });
});

/** Encrypts like old programs: without a code that detects changes. */
async function withoutMdc(file: string, to: Key): Promise<Uint8Array> {
  const sessionKey = await generateSessionKey({ encryptionKeys: to });
  const head = (await encryptSessionKey({ ...sessionKey, encryptionKeys: to, format: "binary" })) as Uint8Array;
  const literal = new LiteralDataPacket();
  (literal as unknown as { setBytes(bytes: Uint8Array, format: number): void }).setBytes(
    Buffer.from(file),
    enums.literal.binary,
  );
  const body = new SymmetricallyEncryptedDataPacket();
  const inner = new PacketList<LiteralDataPacket>();
  inner.push(literal);
  const packet = body as unknown as {
    packets: object;
    encrypt(algorithm: number, key: Uint8Array, of: object): Promise<void>;
  };
  packet.packets = inner;
  await packet.encrypt(enums.symmetric.aes256, sessionKey.data, config);
  const packets = new PacketList<SymmetricallyEncryptedDataPacket>();
  packets.push(body);
  return Buffer.concat([head, packets.write() as Uint8Array]);
}
