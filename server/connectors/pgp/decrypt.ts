import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { PrivateKey } from "openpgp";
import { FileError } from "../file/file-error";
import type { Source } from "../file/read-csv";
import { isArmoured } from "./begins-encrypted";
import { loadOpenPgp } from "./open-pgp";

/**
 * Decrypts a file. The last chunk arrives only after the integrity of the whole file was checked, so the earlier chunks
 * must not be used before.
 *
 * @param key null if the connector has none
 * @throws FileError
 */
export async function* decrypted(source: Source, key: PrivateKey | null): AsyncGenerator<Uint8Array> {
  if (!key)
    throw new FileError(
      "encrypted_file",
      "The file is encrypted with PGP. Give the connector the private key to which it is encrypted, or send the file unencrypted over SFTP or https, which encrypt the connection.",
    );
  let failure: unknown;
  // Distinguish errors of the disk from errors of the message.
  const kept = async function* (chunks: AsyncIterable<Uint8Array>) {
    try {
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const { decrypt, readMessage } = await loadOpenPgp();
  try {
    const message = await readMessage((await opened(kept(await source()))) as { binaryMessage: never });
    const { data } = await decrypt({
      message,
      decryptionKeys: key,
      format: "binary",
      // The caller writes everything to a file, and uses it only after the end.
      config: { allowUnauthenticatedStream: true },
    });
    for await (const chunk of data as unknown as ReadableStream<Uint8Array>) yield chunk;
  } catch (error) {
    throw failure ?? told(error, key);
  }
}

async function opened(chunks: AsyncGenerator<Uint8Array>) {
  const first = await chunks.next();
  const head = first.value ?? new Uint8Array();
  const all = Readable.from(
    (async function* () {
      yield head;
      yield* chunks;
    })(),
    { objectMode: false },
  );
  return isArmoured(head)
    ? { armoredMessage: Readable.toWeb(all.setEncoding("latin1")) as never }
    : { binaryMessage: Readable.toWeb(all) as never };
}

function told(error: unknown, key: PrivateKey): unknown {
  if (error instanceof FileError || !(error instanceof Error) || (error as NodeJS.ErrnoException).syscall) return error;
  const { message } = error;
  if (
    /session key decryption failed|no decryption key|no public key encrypted session key|no symmetrically encrypted/i.test(
      message,
    )
  )
    return new FileError(
      "wrong_key",
      `The file is encrypted to another key than the connector's (${key.getFingerprint().toUpperCase()}), or with a password. Encrypt it to the connector's public key. Nobody was changed.`,
    );
  if (/not authenticated|missing MDC/i.test(message))
    return new FileError(
      "unprotected_file",
      "The encryption of the file does not protect it from changes (it has no MDC), so it may have been altered. Encrypt it with a current version of GnuPG or another program. Nobody was changed.",
    );
  return new FileError(
    "broken_encryption",
    "The encrypted file is damaged, incomplete or was altered. Send it again. Nobody was changed.",
  );
}
