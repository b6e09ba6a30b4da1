import { createMessage, encrypt, enums, generateKey, readKey, type Key } from "openpgp";

export const passphrase = "correct horse";

/** A pair of keys; the private one is armoured and locked with `passphrase`. */
export async function keyPair() {
  const { privateKey, publicKey } = await generateKey({ userIDs: [{ name: "Registry" }], passphrase });
  return { privateKey, publicKey: await readKey({ armoredKey: publicKey }) };
}

export async function encrypted(file: string | Uint8Array, to: Key): Promise<Uint8Array> {
  const message = await createMessage({ binary: Buffer.from(file) });
  return (await encrypt({ message, encryptionKeys: to, format: "binary" })) as Uint8Array;
}

/** A small file that unpacks to this many mebibytes. */
export async function encryptedBomb(mebibytes: number, to: Key): Promise<Buffer> {
  const packed = await encrypt({
    message: await createMessage({ binary: zeros(mebibytes) as never }),
    encryptionKeys: to,
    format: "binary",
    config: { preferredCompressionAlgorithm: enums.compression.zlib },
  });
  return Buffer.from(await new Response(packed as BodyInit).arrayBuffer());
}

function zeros(mebibytes: number): ReadableStream<Uint8Array> {
  let n = 0;
  return new ReadableStream({
    pull(controller) {
      if (n++ < mebibytes) controller.enqueue(new Uint8Array(1024 * 1024));
      else controller.close();
    },
  });
}
