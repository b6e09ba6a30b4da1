import { createDispatcher } from "@/server/http/dispatch";

const dispatch = createDispatcher();

/** A request to the API, dispatched as server/serve.ts does, without a socket. */
export async function call(method: string, path: string, options: { token?: string; body?: unknown; raw?: BodyInit; headers?: Record<string, string> } = {}) {
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  // undici asks for `duplex` with a streamed body; the DOM's types do not know it.
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
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: <T = Record<string, unknown>>() => JSON.parse(text) as T };
}
