import { afterEach, describe, expect, it } from "vitest";
import { listSubjects } from "@/server/subjects/list";
import { world, type World } from "@/server/testing/world";
import { fileOf, numbers } from "../testing/feed";
import { encrypted, encryptedBomb, keyPair, passphrase } from "../testing/pgp";
import { Fetched } from "./testing/fetched";
import type { Office } from "./testing/office";

let office: Office | undefined;
afterEach(() => office?.close());

async function open(w: World) {
  const { privateKey, publicKey } = await keyPair();
  const body = { pgpKey: { privateKey, passphrase } };
  const fetched = await Fetched.open(w, { path: "/out/*.pgp" }, body);
  ({ office } = fetched);
  let time = 1_790_000_000;
  const drop = (content: string | Uint8Array) => fetched.office.put("/out/people.csv.pgp", content, (time += 100));
  return { fetched, publicKey, drop };
}

const active = async ({ ctx }: World) => (await listSubjects(ctx, { status: "active", offset: 0 })).total;

describe("an encrypted file on the customer's SFTP server", () => {
  it("is fetched, decrypted and applied, and moved to archive as it came", async () => {
    const w = await world();
    const { fetched, publicKey, drop } = await open(w);
    const file = await encrypted(fileOf(numbers(1, 12)), publicKey);
    drop(file);
    const run = await fetched.sync();
    expect(run).toMatchObject({ status: "succeeded", counts: { created: 12 }, file: { name: "people.csv.pgp" } });
    expect(run.file!.movedTo).toMatch(/^archive\//);
    const moved = fetched.office.entries.get(`/out/${run.file!.movedTo}`)!;
    expect(Buffer.from(file).equals(moved.data)).toBe(true);
    // The same bytes are recognised; the same list encrypted again writes nothing.
    drop(file);
    expect(await fetched.sync()).toMatchObject({ identical: true });
    drop(await encrypted(fileOf(numbers(1, 12)), publicKey));
    expect(await fetched.sync()).toMatchObject({ identical: false, counts: { updated: 0, unchanged: 12 } });
  });

  it("changes nobody and is moved to error with the reason: another key, cut off, no list, a bomb", async () => {
    const w = await world();
    const { fetched, publicKey, drop } = await open(w);
    drop(await encrypted(fileOf(numbers(1, 12)), publicKey));
    await fetched.sync();
    const good = await encrypted(fileOf([1]), publicKey);
    const files: [string, string | Uint8Array][] = [
      ["wrong_key", await encrypted(fileOf([1]), (await keyPair()).publicKey)],
      ["broken_encryption", good.subarray(0, -10)],
      ["missing_column", await encrypted("<html>Log in</html>", publicKey)],
      ["too_large", await encryptedBomb(600, publicKey)],
    ];
    for (const [code, file] of files) {
      drop(file);
      const run = await fetched.sync();
      expect([run.status, run.errorSummary?.code, run.counts.deactivated]).toEqual(["failed", code, 0]);
      expect(run.file!.movedTo).toMatch(/^error\//);
      expect(fetched.office.text(`/out/${run.file!.movedTo}.report.txt`)).toContain(run.errorSummary!.message);
    }
    expect(await active(w)).toBe(12);
  }, 120_000);

  it("may also come unencrypted", async () => {
    const w = await world();
    const { fetched, drop } = await open(w);
    drop(fileOf(numbers(1, 3)));
    expect(await fetched.sync()).toMatchObject({ status: "succeeded", counts: { created: 3 } });
  });
});
