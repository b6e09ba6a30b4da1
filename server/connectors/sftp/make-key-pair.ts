import { utils } from "./ssh2";

/**
 * Creates an Ed25519 key pair in OpenSSH's format. One in 256 pairs of ssh2 cannot be parsed, because ssh2 removes a
 * leading zero from the public key (https://github.com/mscdex/ssh2/issues/1513). Such a pair is replaced by another one.
 */
export function makeKeyPair(): { private: string; public: string } {
  for (;;) {
    const pair = utils.generateKeyPairSync("ed25519");
    const isReadable = [pair.private, pair.public].every((text) => !(utils.parseKey(text) instanceof Error));
    if (isReadable) return pair;
  }
}
