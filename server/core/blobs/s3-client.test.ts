import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { s3Driver } from "./s3-driver";
import { accepted, refusal, reset, S3Stub, type Answer } from "./testing/s3-stub";
import { receiveUpload, type Upload } from "./upload";

let store: S3Stub;
let file: Upload;
beforeAll(async () => {
  store = await S3Stub.start();
  file = await receiveUpload(one("the file"), 100);
  return async () => {
    await file.discard();
    await store.close();
  };
});
beforeEach(() => {
  store.received.length = 0;
});

async function* one(text: string) {
  yield Buffer.from(text);
}
const key = "org_x/aa/aabb";
const driver = () => s3Driver(store.settings());
const answering = (...answers: Answer[]) => {
  store.answers = answers;
  return driver();
};
const methods = () => store.received.map(({ method }) => method);
const unavailable = { code: "unavailable", message: expect.stringContaining("file store") };

describe("a request to an S3-compatible store", () => {
  it("has the bucket and the key in its path, below the path of the endpoint, and the hash of the file", async () => {
    store.answers = [accepted];
    const { endpoint, ...settings } = store.settings();
    await s3Driver({ ...settings, endpoint: `${endpoint}/storage/` }).put(key, file);
    expect(store.received).toMatchObject([
      {
        method: "PUT",
        path: `/storage/files/${key}`,
        headers: {
          "content-length": "8",
          "x-amz-content-sha256": createHash("sha256").update("the file").digest("hex"),
          authorization: expect.stringMatching(
            /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, /,
          ),
        },
      },
    ]);
  });

  it.each([
    ["503 SlowDown", refusal(503, "SlowDown")],
    ["500 InternalError", refusal(500, "InternalError")],
    ["400 RequestTimeout", refusal(400, "RequestTimeout")],
    ["409 OperationAborted", refusal(409, "OperationAborted")],
    ["429", refusal(429, "TooManyRequests")],
    ["a closed connection", reset],
  ])("is repeated with the whole file after %s", async (_, failure) => {
    await answering(failure, failure, accepted).put(key, file);
    expect(store.received.map(({ body }) => body)).toEqual(["the file", "the file", "the file"]);
  });

  it("is given up after four attempts", async () => {
    await expect(answering(refusal(503, "SlowDown")).put(key, file)).rejects.toMatchObject(unavailable);
    expect(methods()).toEqual(["PUT", "PUT", "PUT", "PUT"]);
  });

  it.each([
    ["403 AccessDenied", refusal(403, "AccessDenied")],
    ["403 RequestTimeTooSkewed", refusal(403, "RequestTimeTooSkewed")],
    ["400 EntityTooLarge", refusal(400, "EntityTooLarge")],
    ["404 NoSuchBucket", refusal(404, "NoSuchBucket")],
  ])("is not repeated after %s", async (_, refused) => {
    await expect(answering(refused).put(key, file)).rejects.toMatchObject(unavailable);
    expect(methods()).toEqual(["PUT"]);
  });

  it("does not follow a redirect to another region, for which the signature is not valid", async () => {
    const elsewhere = await S3Stub.start();
    for (const [status, code] of [
      [301, "PermanentRedirect"],
      [307, "TemporaryRedirect"],
    ] as const) {
      const location = `http://127.0.0.1:${elsewhere.port}/${key}`;
      const s3 = answering(refusal(status, code, { location, "x-amz-bucket-region": "us-west-2" }));
      await expect(s3.put(key, file)).rejects.toMatchObject(unavailable);
      await expect(s3.open(key)).rejects.toMatchObject(unavailable);
    }
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it("that is never answered ends at its time limit", async () => {
    store.answers = [() => undefined];
    const s3 = s3Driver(store.settings(), { transferMs: 50, answerMs: 50 });
    for (const work of [() => s3.put(key, file), () => s3.open(key), () => s3.exists(key), () => s3.delete(key)])
      await expect(work()).rejects.toMatchObject(unavailable);
  });
});

describe("a blob in an S3-compatible store", () => {
  it("is missing if the store does not have its key, not if it does not have the bucket", async () => {
    expect(await answering(refusal(404, "NoSuchKey")).open(key)).toBeNull();
    await answering(refusal(404, "NoSuchKey")).delete(key);
    await expect(answering(refusal(404, "NoSuchBucket")).open(key)).rejects.toMatchObject(unavailable);
    await expect(answering(refusal(404, "NoSuchBucket")).delete(key)).rejects.toMatchObject(unavailable);
  });

  it("counts as missing if the key may not list the bucket, for which S3 answers 403, so that it is stored", async () => {
    expect(await answering(refusal(403, "AccessDenied")).exists(key)).toBe(false);
    expect(await answering(refusal(404, "NoSuchKey")).exists(key)).toBe(false);
    expect(await answering(accepted).exists(key)).toBe(true);
  });

  it("that the store stops sending in the middle is unavailable, not a malformed file", async () => {
    const half: Answer = (response) => {
      response.writeHead(200, { "content-length": "100" }).write("half of it");
      setImmediate(() => response.socket!.destroy());
    };
    const blob = await answering(half).open(key);
    expect(blob!.size).toBe(100);
    await expect(receiveUpload(blob!.chunks, 100)).rejects.toMatchObject(unavailable);
  });

  it("that nobody reads ends its request", async () => {
    const closed = Promise.withResolvers<void>();
    const blob = await answering((response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200, { "content-length": "1000000" }).write("the beginning");
    }).open(key);
    await blob!.chunks[Symbol.asyncIterator]().return?.();
    expect(await closed.promise).toBeUndefined();
  });
});
