import { lazyRoutes } from "@/server/http/generated/lazy-routes";
import { dispatcherOf } from "@/server/http/web/dispatcher";

// Imports a route file at its first request: all of them take longer than the tests of most files.
const dispatch = dispatcherOf(lazyRoutes);

/** Matches a UUIDv7, or the start of the UUID that no row has: internal ids, which callers must never see. */
const inside = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|ffffffff-ffff-ffff/;

/** Sends a request to the API, dispatched as server/serve.ts does, without a socket. */
export async function call(
  method: string,
  path: string,
  options: { token?: string; body?: unknown; raw?: BodyInit; headers?: Record<string, string> } = {},
) {
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  // undici requires `duplex` with a streamed body; the DOM's types do not declare it.
  const init: RequestInit & { duplex: "half" } = {
    method,
    duplex: "half",
    headers: {
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
  };
  const response = await dispatch(new Request(`http://localhost${path}`, init));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const held = inside.exec(text) ?? inside.exec([...response.headers].join("\n"));
  if (held) throw new Error(`The answer to ${method} ${path} holds ${held[0]}: an id as the server has it.`);
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    json: <T = Record<string, unknown>>() => JSON.parse(text) as T,
  };
}
