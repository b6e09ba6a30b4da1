import type { Json } from "./json";

const text = (description: string, example: string): { [key: string]: Json } => ({
  description,
  schema: { type: "string" },
  example,
});

/** Every header that responses can have, except Content-Type, Content-Length, Date and Connection. */
export const headerComponents: Record<string, { [key: string]: Json }> = {
  "Request-Id": text(
    "Under this id the request was logged. Tell it to whoever runs the service.",
    "req_01k4b2m8y3f4g5h6j7k8m9n0p1",
  ),
  "RateLimit-Policy": text(
    "The limit that the request counts against: how many in how many seconds.",
    '"token";q=6000;w=60',
  ),
  RateLimit: text("What is left of the limit, and in how many seconds it is whole again.", '"token";r=5999;t=60'),
  "Cache-Control": text("no-store, or no-cache for what may be kept and has to be asked for anew.", "no-store"),
  "X-Content-Type-Options": text("nosniff", "nosniff"),
  "Strict-Transport-Security": text("Where the service is reached by https.", "max-age=31536000"),
  "Idempotent-Replayed": text(
    "true where the answer is the stored one of an earlier request with this Idempotency-Key.",
    "true",
  ),
  ETag: text("The state that was answered, for If-Match and If-None-Match.", '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"'),
  "Content-Disposition": text("The name to save the file under.", 'attachment; filename="subjects-2026-11-21.csv"'),
  Vary: text("The request headers on which the answer depends.", "accept, authorization"),
  Location: text("The path at which to see what becomes of it.", "/v1/bulk/blk_01k4b2m8z4g5h6j7k8m9n0p1q2"),
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    schema: { type: "integer", format: "int32", minimum: 0 },
    example: 12,
  },
  "WWW-Authenticate": text("How to authenticate (RFC 6750, RFC 7617).", 'Bearer error="invalid_token"'),
  Accept: text("The type of body that is accepted.", "application/json"),
  "Accept-Encoding": text("identity: bodies are sent uncompressed.", "identity"),
  Pragma: text("no-cache, for HTTP/1.0.", "no-cache"),
  "Access-Control-Allow-Origin": text("Scripts of any page may read the answer.", "*"),
  "Access-Control-Expose-Headers": text(
    "The headers that those scripts may read.",
    "etag, request-id, retry-after, ratelimit, ratelimit-policy",
  ),
};

type Name = keyof typeof headerComponents & string;

const always: Name[] = [
  "Request-Id",
  "Cache-Control",
  "X-Content-Type-Options",
  "Strict-Transport-Security",
  "RateLimit-Policy",
  "RateLimit",
];

const byStatus: Record<string, Name[]> = {
  "401": ["WWW-Authenticate"],
  "403": ["WWW-Authenticate"],
  "415": ["Accept", "Accept-Encoding"],
  "429": ["Retry-After"],
  "503": ["Retry-After"],
};

interface DocumentedResponse {
  path: string;
  status: string;
  takesKey: boolean;
  hasTag: boolean;
}

/** Returns the names of the headers that a response can have. */
export function headersOf({ path, status, takesKey, hasTag }: DocumentedResponse): Name[] {
  const succeeded = Number(status) < 400;
  const isPublicDocument = path.startsWith("/public/") || path.startsWith("/.well-known/");
  return [
    ...always,
    ...(byStatus[status] ?? []),
    ...(isPublicDocument ? (["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"] satisfies Name[]) : []),
    ...(path.startsWith("/oauth/") ? (["Pragma"] satisfies Name[]) : []),
    ...((hasTag && succeeded) || status === "412" || (isPublicDocument && succeeded)
      ? (["ETag"] satisfies Name[])
      : []),
    ...(takesKey && (succeeded || status === "410") ? (["Idempotent-Replayed"] satisfies Name[]) : []),
    ...(takesKey && status === "409" ? (["Retry-After"] satisfies Name[]) : []),
    ...(status === "202" ? (["Location"] satisfies Name[]) : []),
  ];
}
