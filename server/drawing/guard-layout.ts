import type { Font, GlyphRun } from "fontkit";

type Anchor = object | null;

/** Internals of fontkit's layout engine, which its types lack. */
interface Inner {
  _layoutEngine: {
    engine: {
      GPOSProcessor?: {
        applyAnchor(mark: { markAnchor: Anchor }, base: Anchor, baseIndex: number): void;
      } | null;
    } | null;
  };
}

/**
 * Makes the layout of a font total: no text makes it throw. Some fonts omit coordinates of anchors on purpose, as those
 * of Gurmukhi, Telugu and Malayalam do, and fontkit 2.0.4 reads them all the same; such a mark stays at its place. Text
 * that fails for another reason is laid out glyph by glyph.
 */
export function guardLayout(font: Font): void {
  if (Object.hasOwn(font, "layout")) return;
  const layout = font.layout.bind(font);
  font.layout = (...given: Parameters<Font["layout"]>): GlyphRun => {
    try {
      guardAnchors(font);
      return layout(...given);
    } catch {
      return layoutPlainly(font, () => layout(...given));
    }
  };
}

function guardAnchors(font: Font): void {
  const processor = (font as unknown as Inner)._layoutEngine.engine?.GPOSProcessor;
  if (!processor || Object.hasOwn(processor, "applyAnchor")) return;
  const applyAnchor = processor.applyAnchor.bind(processor);
  processor.applyAnchor = (mark, base, baseIndex) => {
    if (mark.markAnchor && base) applyAnchor(mark, base, baseIndex);
  };
}

/** Without the substitutions and positions in the font's tables. */
function layoutPlainly(font: Font, layout: () => GlyphRun): GlyphRun {
  const inner = (font as unknown as Inner)._layoutEngine;
  const { engine } = inner;
  inner.engine = null;
  try {
    return layout();
  } finally {
    inner.engine = engine;
  }
}
