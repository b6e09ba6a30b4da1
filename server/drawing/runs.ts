import bidiFactory from "bidi-js";
import type { GlyphRun } from "fontkit";
import { faceOf, preferenceFor, type Face, type Style, type Weight } from "./faces";

export interface TextStyle {
  style: Style;
  weight: Weight;
  /** A language tag, which selects the shapes of Han characters. */
  language: string;
}

/** Text of one face and one direction. */
export interface Run {
  text: string;
  face: Face;
  /** In the face's units, in visual order. */
  glyphs: GlyphRun;
  /** For a font size of 1. */
  width: number;
}

const bidi = bidiFactory();

/**
 * Splits a line of text into runs, from left to right: each character is drawn by a face that has it, and right-to-left
 * text is placed by the Unicode Bidirectional Algorithm. A letter or digit that no face has is drawn as □. Other
 * characters that no face has are left out, unless nothing else would be visible.
 */
export function runsOf(line: string, style: TextStyle): Run[] {
  const runs = runsWith(line, style, letter);
  const isEmpty = runs.every(({ text }) => ![...text].some((character) => visible.test(character)));
  return isEmpty ? runsWith(line, style, visible) : runs;
}

const standIn = "\u25a1";
const letter = /^[\p{L}\p{N}]$/u;
const visible = /^[^\p{M}\p{C}\p{Z}\p{Sk}]$/u;

/** @param shown the characters without a face that are drawn as □ */
function runsWith(line: string, style: TextStyle, shown: RegExp): Run[] {
  const text = line.normalize("NFC");
  const embedding = bidi.getEmbeddingLevels(text, "auto");
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const preference = preferenceFor(text, style.style, style.language);
  const parts: { text: string; face: Face; level: number }[] = [];
  let at = 0;
  for (const character of text) {
    const level = embedding.levels[at]!;
    const wanted = mirrored.get(at) ?? character;
    const has = (each: string) => faceOf(each.codePointAt(0)!, preference, style.weight);
    const drawn = shown.test(wanted) && !has(wanted) ? standIn : wanted;
    const last = parts.at(-1);
    at += character.length;
    const codePoint = drawn.codePointAt(0)!;
    // Spaces, digits and marks keep the face of the character before them if that face has them.
    const stays = last && isShared(drawn) && last.face.font.hasGlyphForCodePoint(codePoint);
    const face = stays ? last.face : has(drawn);
    if (!face) continue;
    if (last?.face === face && last.level === level) last.text += drawn;
    else parts.push({ text: drawn, face, level });
  }
  return inVisualOrder(parts).map(({ text, face }) => {
    const glyphs = face.font.layout(text);
    return { text, face, glyphs, width: glyphs.advanceWidth / face.font.unitsPerEm };
  });
}

export const widthOf = (runs: Run[]): number => runs.reduce((sum, { width }) => sum + width, 0);

const isShared = (character: string) => /^[\p{Script=Common}\p{Script=Inherited}]$/u.test(character);

/** Rule L2 of the algorithm, for whole parts: the face reverses the characters within a part. */
function inVisualOrder<Part extends { level: number }>(parts: Part[]): Part[] {
  const ordered = [...parts];
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      if (to > from + 1) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  return ordered;
}
