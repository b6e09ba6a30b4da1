import { expect, it } from "vitest";
import { addedWords, othersWords } from "./added-words";

it("says that nobody was added if nobody was", () => {
  expect(addedWords({ added: 2, unchanged: 1, failed: 0 })).toBe("2 people added");
  expect(addedWords({ added: 0, unchanged: 1, failed: 0 })).toBe("Nobody was added: they are in the group already");
  expect(addedWords({ added: 0, unchanged: 0, failed: 3 })).toBe("Nobody was added");
  expect(othersWords({ added: 1, unchanged: 0, failed: 2 })).toBe("1 person was added.");
  expect(othersWords({ added: 0, unchanged: 0, failed: 2 })).toBe("Nobody was added.");
  expect(othersWords({ added: 0, unchanged: 4, failed: 2 })).toBe(
    "Nobody was added: the others are in the group already.",
  );
});
