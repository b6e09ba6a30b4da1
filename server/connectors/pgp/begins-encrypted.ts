/** Whether a file begins like an armoured message of OpenPGP. */
export const isArmoured = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 64)).toString("latin1").trimStart().startsWith("-----BEGIN PGP MESSAGE");

/**
 * Whether a file begins like a message of OpenPGP: armoured, or with the packet of an encrypted session key (RFC 9580,
 * section 5.1 and 5.3). The version byte of the packet is a control character, so no text begins like this.
 */
export function beginsEncrypted(head: Uint8Array): boolean {
  if (isArmoured(head)) return true;
  const [first = 0, length = 0] = head;
  const isNew = (first & 0xc0) === 0xc0;
  const tag = isNew ? first & 0x3f : (first & 0x3c) >> 2;
  if ((first & 0x80) === 0 || (tag !== 1 && tag !== 3)) return false;
  const lengthBytes = isNew ? (length < 192 ? 1 : length < 224 ? 2 : 5) : ([1, 2, 4][first & 3] ?? 0);
  const version = head[1 + lengthBytes] ?? 0;
  return tag === 1 ? version === 3 || version === 6 : version >= 4 && version <= 6;
}
