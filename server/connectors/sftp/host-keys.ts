import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { decrypt, encrypt } from "@/server/core/secrets";
import { hostKeyOf, type HostKey } from "./host-key";
import { makeKeyPair } from "./make-key-pair";
import { utils } from "./ssh2";

/** The context to which the encryption of a host key is bound. */
export const hostKeyBoundTo = (type: string) => `sftp_host_key\n${type}\nprivate_key`;

const makers = {
  "ssh-ed25519": makeKeyPair,
  // For clients that do not support Ed25519.
  "ssh-rsa": () => utils.generateKeyPairSync("rsa", { bits: 3072 }),
};

interface Row {
  type: string;
  private_key: Buffer;
}

/**
 * Returns the private host keys of the SFTP server, in OpenSSH's format. The first call creates them. All processes on one
 * database use the same keys: the first process that stores a key wins.
 */
export async function privateHostKeys(): Promise<string[]> {
  const stored = await readRows();
  for (const [type, make] of Object.entries(makers)) {
    if (stored.some((row) => row.type === type)) continue;
    const sealed = Buffer.from(encrypt(make().private, hostKeyBoundTo(type)));
    await sql(`INSERT INTO sftp_host_keys (type, private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [type, sealed]);
  }
  return (await readRows()).map(({ type, private_key }) => decrypt(private_key, hostKeyBoundTo(type)));
}

const readRows = () => sql<Row>(`SELECT type, private_key FROM sftp_host_keys ORDER BY type`);

/** Returns the fingerprints of our host keys, for senders to compare. */
export async function ownHostKeys(): Promise<HostKey[]> {
  return (await privateHostKeys()).map((text) => {
    const key = utils.parseKey(text);
    if (key instanceof Error) throw key;
    return hostKeyOf(key.getPublicSSH())!;
  });
}

/** Deletes the host keys. For operators who lost the key that decrypts them. New keys are created, and senders must approve them. */
export async function removeLostHostKeys({ tx }: TxCtx): Promise<void> {
  await tx.sql(`DELETE FROM sftp_host_keys`);
}
