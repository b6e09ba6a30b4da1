import sharp from "sharp";

type Json = Record<string, unknown>;

/** An answer: its status and body. */
export type Answer = [status: number, body: object];

export const refusal = (code: number, status: string, message: string): Answer => [
  code,
  { error: { code, status, message } },
];

/** Google accepts this many messages of a pass within this time. */
const notices = 3;
const withinMs = 86_400_000;

/** The pictures of a pass, with the width and height that Google recommends. */
const pictures = [
  ["logo", 660, 660],
  ["heroImage", 1032, 336],
] as const;

/** The classes and objects of Google's Wallet API, in memory (walletobjects v1). */
export class WalletObjects {
  readonly classes = new Map<string, Json>();
  readonly objects = new Map<string, Json>();
  /** How far the clock of the stand-in is ahead, in milliseconds. */
  aheadMs = 0;
  /** Loads a picture from the internet. Null if it cannot be loaded. */
  load: (url: string) => Promise<{ type: string | null; bytes: Uint8Array } | null> = async () => null;
  readonly #notified = new Map<string, number[]>();

  /**
   * @param path below the API's address
   * @param issuerIds the issuers that the caller may act for
   */
  async answer(method: string, path: string, body: Json, issuerIds: readonly string[]): Promise<Answer> {
    const [, kind, id, verb] = /^(genericClass|genericObject)(?:\/([^/]+))?(?:\/(addMessage))?$/.exec(path) ?? [];
    const named = id ?? (typeof body["id"] === "string" ? body["id"] : "");
    if (!kind || !/^\d+\.[\w.-]+$/.test(named))
      return refusal(400, "INVALID_ARGUMENT", `Invalid resource ID: ${named}.`);
    if (!issuerIds.includes(named.split(".")[0]!)) return refusal(403, "PERMISSION_DENIED", "Permission denied.");
    const all = kind === "genericClass" ? this.classes : this.objects;
    if (method === "POST" && id === undefined) return this.#insert(kind, all, named, body);
    const held = all.get(named);
    if (!held) return refusal(404, "NOT_FOUND", `${kind} ${named} not found.`);
    if (method === "POST" && verb) return this.#addMessage(named, held, body);
    if (method !== "PATCH") return refusal(400, "INVALID_ARGUMENT", "Not here.");
    const after = merged(held, body);
    const unfit = kind === "genericObject" ? await this.#unfitPicture(after) : null;
    if (unfit) return unfit;
    all.set(named, after);
    return [200, after];
  }

  /** Google loads the pictures of a pass, and refuses the pass if it cannot. */
  async #unfitPicture(pass: Json): Promise<Answer | null> {
    for (const [field, width, height] of pictures) {
      if (pass[field] === undefined) continue;
      const { sourceUri } = pass[field] as { sourceUri?: { uri?: unknown } };
      const uri = String(sourceUri?.uri);
      const loaded = uri.startsWith("https://") ? await this.load(uri) : null;
      const read = loaded?.type === "image/png" ? await sharp(loaded.bytes).metadata() : null;
      if (read?.width !== width || read.height !== height)
        return refusal(400, "INVALID_ARGUMENT", `Image cannot be loaded: ${uri}.`);
    }
    return null;
  }

  async #insert(kind: string, all: Map<string, Json>, id: string, body: Json): Promise<Answer> {
    if (all.has(id)) return refusal(409, "ALREADY_EXISTS", `${kind} ${id} already exists.`);
    if (kind === "genericObject") {
      const classId = String(body["classId"]);
      if (!this.classes.has(classId)) return refusal(404, "NOT_FOUND", `Class ${classId} not found.`);
      for (const field of ["cardTitle", "header"])
        if (!textOf(body[field])) return refusal(400, "INVALID_ARGUMENT", `${field} is required.`);
      const unfit = await this.#unfitPicture(body);
      if (unfit) return unfit;
    }
    all.set(id, merged({}, body));
    return [200, all.get(id)!];
  }

  #addMessage(id: string, held: Json, { message }: Json): Answer {
    const { header, body, messageType } = (message ?? {}) as Json;
    if (!header || !body) return refusal(400, "INVALID_ARGUMENT", "A message has a header and a body.");
    if (messageType === "TEXT_AND_NOTIFY") {
      const now = Date.now() + this.aheadMs;
      const recent = (this.#notified.get(id) ?? []).filter((at) => at > now - withinMs);
      if (recent.length >= notices) return refusal(403, "PERMISSION_DENIED", "QuotaExceededException");
      this.#notified.set(id, [...recent, now]);
    }
    held["messages"] = [...((held["messages"] as object[] | undefined) ?? []), message];
    return [200, { resource: held }];
  }
}

/** The default value of a localised string. */
export const textOf = (value: unknown): string | undefined =>
  (value as { defaultValue?: { value?: string } } | undefined)?.defaultValue?.value;

/** Applies a PATCH: merges objects, deletes members that are null, and replaces lists. */
function merged(before: Json, change: Json): Json {
  const after = { ...before };
  for (const [key, value] of Object.entries(change)) {
    const old = after[key];
    if (value === null) delete after[key];
    else if (isObject(value)) after[key] = merged(isObject(old) ? old : {}, value);
    else after[key] = value;
  }
  return after;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
