import type { Id } from "@/server/core/ids";
import { openHeaders, openSecret } from "@/server/webhooks/endpoints/secret";
import { signingKey, type SigningKey } from "./sign";

export interface DestinationRow {
  endpointId: Id<"whe">;
  url: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretExpiresAt: Date | null;
  headers: Uint8Array | null;
  rateLimit: number | null;
}

/** The destination of one claim's deliveries to one endpoint. Secrets are decrypted once, at first use. */
export class Destination {
  #opened: { keys: SigningKey[]; headers: Record<string, string> } | undefined;

  constructor(private readonly row: DestinationRow) {}

  get url(): string {
    return this.row.url;
  }

  /** Deliveries per second; null for no limit. */
  get rateLimit(): number | null {
    return this.row.rateLimit;
  }

  /** The customer's own headers. */
  get headers(): Record<string, string> {
    return this.#open().headers;
  }

  /** Returns the keys to sign with: the current one and, during a rotation, the previous one after it. */
  keys(now: Date): SigningKey[] {
    const expiry = this.row.previousSecretExpiresAt;
    return expiry && expiry > now ? this.#open().keys : this.#open().keys.slice(0, 1);
  }

  #open() {
    const { endpointId, secret, previousSecret, headers } = this.row;
    return (this.#opened ??= {
      keys: [secret, ...(previousSecret ? [previousSecret] : [])].map((sealed) =>
        signingKey(openSecret(endpointId, sealed)),
      ),
      headers: openHeaders(endpointId, headers),
    });
  }
}
