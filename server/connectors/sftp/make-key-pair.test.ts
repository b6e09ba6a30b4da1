import { expect, it, vi } from "vitest";
import { makeKeyPair } from "./make-key-pair";
import { utils } from "./ssh2";

it("creates another pair if the first one cannot be parsed", () => {
  const make = utils.generateKeyPairSync.bind(utils);
  // The invalid pair that ssh2 creates if the first byte of the public key is zero.
  const unreadable = () => {
    for (;;) {
      const pair = make("ed25519");
      if (utils.parseKey(pair.public) instanceof Error) return pair;
    }
  };
  using generate = vi.spyOn(utils, "generateKeyPairSync").mockImplementationOnce(unreadable);
  const pair = makeKeyPair();
  expect(generate.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(utils.parseKey(pair.private)).not.toBeInstanceOf(Error);
  expect(utils.parseKey(pair.public)).not.toBeInstanceOf(Error);
});
