import { expect, it, vi } from "vitest";
import { makeKeyPair } from "./make-key-pair";
import { utils } from "./ssh2";

it("makes another pair in place of one that cannot be read", () => {
  const make = utils.generateKeyPairSync.bind(utils);
  // What ssh2 makes of a public key whose first byte is zero.
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
