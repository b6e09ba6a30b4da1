import type { PrivateKey } from "openpgp";
import { z } from "zod";
import type { Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { decrypt, encrypt } from "@/server/core/secrets";
import type { ConnectorType } from "../types";
import { loadOpenPgp } from "./open-pgp";

/** The private key of a connector as it is sent; never returned. */
export const pgpKeyInput = z
  .strictObject({
    privateKey: z.string().min(1).max(64_000).meta({
      description: "An OpenPGP private key with its first and last line (-----BEGIN PGP PRIVATE KEY BLOCK-----).",
    }),
    passphrase: z.string().max(1_000).default("").meta({ description: "Its passphrase; empty if it has none." }),
  })
  .nullable()
  .meta({
    description:
      "For csv and sftp: the OpenPGP private key to which files may be encrypted. Never returned; null removes it.",
  });
type PgpKeyInput = NonNullable<z.output<typeof pgpKeyInput>>;

/** The public part of a connector's key. */
export const pgpSchema = z.object({
  fingerprint: z.string(),
  publicKey: z.string().meta({ description: "For senders, who encrypt files to it." }),
  setAt: z.iso.datetime(),
});
export type Pgp = z.output<typeof pgpSchema>;

/** The context to which the encryption of the key is bound. */
export const pgpKeyBoundTo = (connectorId: Id<"con">) => `connector\n${connectorId}\npgp`;

export const openPgpKey = (connectorId: Id<"con">, sealed: Uint8Array): Promise<PrivateKey> =>
  unlock(JSON.parse(decrypt(sealed, pgpKeyBoundTo(connectorId))) as PgpKeyInput);

/**
 * Checks a private key and encrypts it with its passphrase, for this connector.
 *
 * @throws DomainError invalid_request if it is not a private key, if the passphrase is wrong, or if it cannot decrypt
 * files
 */
export async function sealPgpKey(
  connectorId: Id<"con">,
  sent: PgpKeyInput,
  now: Date,
): Promise<{ sealed: Buffer; pgp: Pgp }> {
  await requireCheap(sent);
  const key = await unlock(sent).catch((error: unknown) => {
    const isLocked = /passphrase/i.test((error as Error).message);
    throw refused(
      isLocked ? "/pgpKey/passphrase" : "/pgpKey/privateKey",
      isLocked
        ? "is not the passphrase of this key"
        : "must be an OpenPGP private key, with its first and last line (-----BEGIN PGP PRIVATE KEY BLOCK-----)",
    );
  });
  await key.getEncryptionKey(undefined, now).catch(() => {
    throw refused("/pgpKey/privateKey", "cannot be used to encrypt files: it has expired, was revoked or only signs");
  });
  return {
    sealed: Buffer.from(encrypt(JSON.stringify(sent), pgpKeyBoundTo(connectorId))),
    pgp: {
      fingerprint: key.getFingerprint().toUpperCase(),
      publicKey: key.toPublic().armor(),
      setAt: now.toISOString(),
    },
  };
}

async function unlock({ privateKey, passphrase }: PgpKeyInput): Promise<PrivateKey> {
  const { readPrivateKey, decryptKey } = await loadOpenPgp();
  const key = await readPrivateKey({ armoredKey: privateKey });
  return key.isDecrypted() ? key : decryptKey({ privateKey: key, passphrase });
}

/** The most keys that one private key may have: the primary one and its subkeys. */
const keysAtMost = 8;

/**
 * Refuses a key whose passphrase takes long to hash, before it is hashed. Each subkey has its own hash, of up to 65 MB
 * of text. Argon2 has no such limit: a key can demand gigabytes of memory.
 *
 * @throws DomainError invalid_request
 */
async function requireCheap({ privateKey }: PgpKeyInput): Promise<void> {
  const { readPrivateKey } = await loadOpenPgp();
  const key = await readPrivateKey({ armoredKey: privateKey }).catch(() => null);
  // unlock reports the error.
  if (!key) return;
  const keys = key.getKeys();
  if (keys.length > keysAtMost) throw refused("/pgpKey/privateKey", `must have at most ${keysAtMost - 1} subkeys`);
  const hashes = keys.map(({ keyPacket }) => (keyPacket as { s2k?: { type: string } | null }).s2k?.type);
  if (hashes.includes("argon2"))
    throw refused(
      "/pgpKey/privateKey",
      "hashes its passphrase with Argon2, which is not supported: make a copy of it without a passphrase",
    );
}

/** @throws DomainError invalid_request for a type whose files are never encrypted */
export function requirePgpType(type: ConnectorType): void {
  if (type === "csv" || type === "sftp") return;
  throw refused("/pgpKey", `must be left out for a connector of type ${type}, which takes no files`);
}

const refused = (pointer: string, message: string) => invalidInput([{ pointer, code: "invalid_value", message }]);
