import type { Font, GlyphRun } from "fontkit";

type Anchor = object | null;

/** What fontkit keeps of a font's layout, which its types lack. */
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
 * Makes the layout of a font total: no text makes it throw. fontkit 2.0.4 reads the coordinates of anchors that a font
 * leaves out on purpose, as those of Gurmukhi, Telugu and Malayalam do; such a mark stays where it stands. Text that
 * fails for another reason is laid out glyph by glyph.
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

/** Without the substitutions and positions of the font's tables. */
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
