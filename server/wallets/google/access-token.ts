import { createHash, createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import type { PassIssuer } from "./settings";
import { askGoogle, type GoogleService } from "./service";

/** A failed request to Google. */
export interface GoogleFailure {
  /** The failure as a sentence for admins. */
  words: string;
  /** Whether Google refused the request, so that only a change of the settings or the request helps. */
  isRefusal: boolean;
}

const scope = "https://www.googleapis.com/auth/wallet_object.issuer";

/** A token is no longer used this long before it expires, in milliseconds. */
const leewayMs = 60_000;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** Cached tokens by endpoint and service account key. A token is valid for an hour. */
const tokens = new Map<string, { token: string; until: number }>();
const keptTokens = 1000;

/** Returns an access token of a service account, from the cache or newly requested (RFC 7523, section 2.1). */
export async function accessToken(
  service: GoogleService,
  account: PassIssuer,
): Promise<{ token: string } | GoogleFailure> {
  const key = keyOf(service, account);
  const known = tokens.get(key);
  if (known && known.until > Date.now()) return { token: known.token };
  const answer = await askGoogle(service, {
    url: service.tokenUrl,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: await assertion(service, account),
    }).toString(),
  });
  if (answer.status === null)
    return { words: `Google could not be reached. ${answer.errorDetail ?? ""}`.trim(), isRefusal: false };
  const read = granted.safeParse(json(answer.body));
  if (answer.ok && read.success) {
    if (tokens.size >= keptTokens) tokens.delete(tokens.keys().next().value!);
    tokens.set(key, { token: read.data.access_token, until: Date.now() + read.data.expires_in * 1000 - leewayMs });
    return { token: read.data.access_token };
  }
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    return {
      words: `Google does not accept the key of ${account.clientEmail}: the key was deleted at Google, or the service account is disabled.`,
      isRefusal: true,
    };
  return { words: `Google's token service answered ${answer.status}.`, isRefusal: false };
}

/** Removes a token that Google no longer accepts from the cache. */
export const forgetToken = (service: GoogleService, account: PassIssuer): void =>
  void tokens.delete(keyOf(service, account));

function keyOf({ tokenUrl }: GoogleService, { clientEmail, privateKey }: PassIssuer): string {
  return createHash("sha256").update(`${tokenUrl}\n${clientEmail}\n${privateKey}`).digest("base64");
}

function assertion({ tokenUrl }: GoogleService, { clientEmail, keyId, privateKey }: PassIssuer): Promise<string> {
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: keyId })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(createPrivateKey(privateKey));
}

/** Parses JSON; undefined if it is malformed. */
export function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
