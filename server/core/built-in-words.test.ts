import { expect, it } from "vitest";
import { builtInWord } from "./built-in-words";

it("the labels of a German certificate form a sentence with the name and the title between them", () => {
  const label = (word: "This certifies that" | "has been awarded") => builtInWord(word, "de-DE");
  expect(`${label("This certifies that")} Ada Lovelace ${label("has been awarded")} Bachelor of Science`).toBe(
    "Hiermit wird bescheinigt: Ada Lovelace wurde verliehen: Bachelor of Science",
  );
});
