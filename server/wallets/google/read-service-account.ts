import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import type { InputIssue } from "@/server/core/errors";
import type { PassIssuer } from "./settings";

const keyFile = z.object({
  type: z.literal("service_account"),
  client_email: z.string().regex(/^[^\s<>@]{1,200}@[^\s<>@]{1,200}$/),
  private_key_id: z.string().regex(/^[\w-]{1,100}$/),
  // A key of 4096 bits has 3,272 characters.
  private_key: z.string().min(1).max(4_000),
});

/**
 * Reads the JSON key file of a service account from Google Cloud. The URLs in it are ignored: a forged file must not
 * redirect our requests.
 *
 * @returns the account, or an issue that says what is wrong with the file
 */
export function readServiceAccount(text: string): Omit<PassIssuer, "issuerId"> | InputIssue[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [issue("invalid_format", "is not JSON: send the whole content of the key file that Google Cloud gave you")];
  }
  const read = keyFile.safeParse(parsed);
  if (!read.success) {
    const missing = read.error.issues.map(({ path }) => path.join(".") || "the file");
    return [
      issue(
        "wrong_kind",
        `is not the key file of a service account (${[...new Set(missing)].join(", ")}): in Google Cloud, open the service account, Keys, Add key, and choose JSON`,
      ),
    ];
  }
  const key = readKey(read.data.private_key);
  if (!key)
    return [issue("invalid_value", "holds a private_key that cannot be read as an RSA key; download a new key")];
  return { clientEmail: read.data.client_email, keyId: read.data.private_key_id, privateKey: key };
}

function readKey(text: string): string | null {
  try {
    const key = createPrivateKey(text);
    return key.asymmetricKeyType === "rsa" ? (key.export({ type: "pkcs8", format: "pem" }) as string) : null;
  } catch {
    return null;
  }
}

const issue = (code: InputIssue["code"], message: string): InputIssue => ({
  pointer: "/serviceAccount",
  code,
  message,
});
