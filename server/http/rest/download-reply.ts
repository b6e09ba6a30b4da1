import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import { actingFor } from "@/server/core/organisation-share";
import { log } from "@/server/core/log";
import type { Exchange, Reply } from "./endpoint";
import { namesTag } from "./if-none-match";

/** Streams a file as the response, as fast as the client reads, and stops if the client goes away. */
export async function downloadReply(
  { request, requestId }: Exchange,
  orgId: Id<"org">,
  { type, fileName, size: known, etag, headers, prepare, chunks: given }: Download,
): Promise<Reply> {
  const always = { ...headers, ...(etag && { etag }) };
  if (etag && namesTag(request.headers.get("if-none-match"), etag)) {
    await given[Symbol.asyncIterator]().return?.();
    return { status: 304, body: null, headers: always };
  }
  const isHead = request.method === "HEAD";
  const { size, chunks } = prepare && !isHead ? await prepare() : { size: known, chunks: given };
  const iterator = chunks[Symbol.asyncIterator]();
  const content = {
    "content-type": type,
    ...(size !== undefined && { "content-length": String(size) }),
    ...(fileName && { "content-disposition": `attachment; filename="${fileName}"` }),
  };
  if (isHead) {
    await iterator.return?.();
    return { status: 200, body: null, headers: { ...always, ...content } };
  }
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Reads from the database while streaming count against the organisation's share, as the rest of the request
        // does.
        const { done, value } = await actingFor(orgId, () => iterator.next()).catch((error: unknown) => {
          log().error({ requestId, err: error }, "an answer broke off");
          // An error ends the connection, so that an incomplete file does not look whole.
          throw new Error("The answer broke off.");
        });
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      cancel: async () => void (await iterator.return?.()),
    },
    // Read nothing ahead.
    { highWaterMark: 0 },
  );
  return { status: 200, body, headers: { ...always, ...content } };
}
