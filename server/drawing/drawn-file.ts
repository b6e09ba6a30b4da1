import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Download } from "@/server/core/download";
import { processState } from "@/server/core/process-state";
import type { Client } from "@/server/core/workers/worker-pool";
import { draw, drawingProgram } from "./draw";
import type { DrawingJobs } from "./jobs";

/** The maximum bytes of drawn files that a process caches. A certificate has some 100 kB. */
const keptBytes = 32 * 1024 * 1024;

const state = processState("drawn files", () => ({
  /** By ETag, the least recently used first. */
  files: new Map<string, Uint8Array>(),
  bytes: 0,
  drawing: new Map<string, Promise<Uint8Array>>(),
  version: "",
}));

/**
 * A file that is drawn when its bytes are requested. Its ETag covers the inputs of the drawing: its content and the
 * drawing program. HEAD and a conditional request therefore draw nothing, and a recently drawn file is not drawn again.
 */
export function drawnFile<Name extends "certificate" | "preview" | "googlePicture">(
  client: Client,
  name: Name,
  given: DrawingJobs[Name]["given"],
): Pick<Download, "etag" | "size" | "prepare" | "chunks"> {
  state.version ||= hash("sha256", readFileSync(drawingProgram), "base64url");
  const etag = `"${hash("sha256", JSON.stringify([state.version, name, given]), "base64url").slice(0, 27)}"`;
  const size = state.files.get(etag)?.byteLength;
  const prepare = async () => {
    const bytes = await bytesOf(client, etag, () => draw(client, name, given));
    return { size: bytes.byteLength, chunks: once(bytes) };
  };
  return { etag, ...(size !== undefined && { size }), prepare, chunks: lazily(prepare) };
}

function bytesOf(client: Client, etag: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const kept = state.files.get(etag);
  if (kept) {
    state.files.delete(etag);
    state.files.set(etag, kept);
    return Promise.resolve(kept);
  }
  // A signed-in caller does not wait for a drawing that is queued behind those of visitors.
  const key = `${client.isAnonymous ?? false} ${etag}`;
  let drawing = state.drawing.get(key);
  if (!drawing) {
    drawing = load().finally(() => state.drawing.delete(key));
    state.drawing.set(key, drawing);
    drawing.then(
      (bytes) => keep(etag, bytes),
      () => undefined,
    );
  }
  return drawing;
}

function keep(etag: string, bytes: Uint8Array): void {
  if (state.files.has(etag) || bytes.byteLength > keptBytes / 4) return;
  state.files.set(etag, bytes);
  state.bytes += bytes.byteLength;
  for (const [oldest, { byteLength }] of state.files) {
    if (state.bytes <= keptBytes) break;
    state.files.delete(oldest);
    state.bytes -= byteLength;
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function* lazily(prepare: () => Promise<{ chunks: AsyncIterable<Uint8Array> }>): AsyncIterable<Uint8Array> {
  yield* (await prepare()).chunks;
}
