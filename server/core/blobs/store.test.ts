import { beforeAll, beforeEach, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { blobKey, storeBlob, sweepBlobs } from "./store";
import { accepted, refusal, S3Stub } from "./testing/s3-stub";
import { receiveUpload } from "./upload";

let store: S3Stub;
beforeAll(async () => {
  store = await S3Stub.start();
  const { endpoint, bucket, accessKeyId, secretAccessKey } = store.settings();
  const settings: Record<string, string> = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_PATH_STYLE: "1",
  };
  Object.assign(process.env, settings);
  const drop = await ownDatabase();
  return async () => {
    for (const name of Object.keys(settings)) delete process.env[name];
    await drop();
    await store.close();
  };
});
beforeEach(() => {
  store.received.length = 0;
  store.answers = [accepted];
});

async function* one(text: string) {
  yield Buffer.from(text);
}
/** Stores files that nothing refers to, the first one longest ago, all longer ago than the grace period. */
async function idle(orgId: Awaited<ReturnType<typeof world>>["orgId"], ...texts: string[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const [n, text] of texts.entries()) {
    const file = await receiveUpload(one(text), 100);
    hashes.push(await storeBlob(orgId, file));
    await file.discard();
    await sql(`UPDATE blobs SET idle_since = now() - interval '1 day' + $2 * interval '1 minute' WHERE sha256 = $1`, [
      hashes.at(-1),
      n,
    ]);
  }
  store.received.length = 0;
  return hashes;
}
const rows = async () => (await sql<{ sha256: string }>(`SELECT sha256 FROM blobs`)).map(({ sha256 }) => sha256);

it("a blob that the store does not delete stays, and does not keep the others", async () => {
  const { orgId } = await world();
  const [first, locked, ...others] = await idle(orgId, "a", "b", "c", "d");
  store.answers = [accepted, refusal(403, "AccessDenied"), accepted];
  await expect(sweepBlobs(["subject_photos"])).rejects.toMatchObject({ code: "unavailable" });
  expect((await rows()).toSorted()).toEqual([locked!, ...others].toSorted());
  expect(await sweepBlobs(["subject_photos"])).toEqual({ removed: 2, more: false });
  expect(await rows()).toEqual([locked]);
  expect(store.received.map(({ path }) => path)).toEqual(
    [first, locked, ...others].map((sha256) => `/files/${blobKey(orgId, sha256!)}`),
  );
  await sql(`DELETE FROM blobs`);
});

it("a file is stored under its hash and its organisation, once", async () => {
  const { orgId } = await world();
  const file = await receiveUpload(one("twice"), 100);
  store.answers = [refusal(404, "NoSuchKey"), accepted];
  await storeBlob(orgId, file);
  await storeBlob(orgId, file);
  expect(store.received.map(({ method }) => method)).toEqual(["HEAD", "PUT", "HEAD"]);
  expect(await rows()).toEqual([file.sha256]);
  await file.discard();
});
