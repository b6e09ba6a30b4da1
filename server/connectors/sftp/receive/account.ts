import { timingSafeEqual } from "node:crypto";
import type { PublicKeyAuthContext } from "ssh2";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { hashToken } from "@/server/core/secrets";
import type { SftpReceiveSettings } from "../settings";
import { utils } from "../ssh2";

/** The SFTP account of a connector, with which a sender delivers files. */
export interface Account {
  orgId: Id<"org">;
  connectorId: Id<"con">;
  user: string;
  /** The hash of the password; null if none is set. */
  hash: string | null;
  publicKeys: string[];
}

/** The password hash or key of a sign-in. It is checked again during the session. */
export type Credential = { hash: string } | { publicKey: string };

interface Row {
  org_id: Id<"org">;
  id: Id<"con">;
  sftp_hash: string | null;
  settings: SftpReceiveSettings;
}

/** Finds the account of a user name; null if there is none or its organisation is suspended. */
export async function findAccount(user: string): Promise<Account | null> {
  const [row] = await lookUp<Row>(
    sql,
    `SELECT org_id, id, sftp_hash, settings FROM connectors c WHERE sftp_user = $1 AND deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM organisations o WHERE o.id = c.org_id AND o.suspended_at IS NOT NULL)`,
    [user],
  );
  if (!row) return null;
  const { publicKeys } = row.settings;
  return { orgId: row.org_id, connectorId: row.id, user, hash: row.sftp_hash, publicKeys };
}

/** Compares a password in constant time, even without an account, so that the timing does not reveal which users exist. */
export function passwordFits(account: Account | null, password: string): Credential | null {
  const given = hashToken(password);
  const wanted = account?.hash ?? hashToken("");
  const fits = timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
  return fits && account?.hash ? { hash: given } : null;
}

/** Finds the stored key that matches a sign-in, and verifies the signature if the client sent one. */
export function keyFits(account: Account | null, context: PublicKeyAuthContext): Credential | null {
  // RSA signatures with SHA-1 can be forged.
  if (context.key.algo === "ssh-rsa" && !context.hashAlgo) return null;
  for (const publicKey of account?.publicKeys ?? []) {
    const key = utils.parseKey(publicKey);
    if (key instanceof Error || !key.getPublicSSH().equals(context.key.data)) continue;
    if (!context.signature) return { publicKey };
    return key.verify(context.blob!, context.signature, context.hashAlgo) === true ? { publicKey } : null;
  }
  return null;
}

/** Whether the password or key of a sign-in is still valid for the account. */
export const isStill = (account: Account | null, credential: Credential): boolean =>
  account !== null &&
  ("hash" in credential ? account.hash === credential.hash : account.publicKeys.includes(credential.publicKey));
