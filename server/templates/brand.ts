import type { Design } from "./design";
import { paletteOf, type Palette } from "./palette";

/** The parts of a template's design for a page on which the organisation speaks. */
export interface Brand {
  colors: Palette;
  /** A data URL; null without a logo. */
  logo: string | null;
}

/** The kind of a template. */
export type BrandedKind = Parameters<typeof paletteOf>[0];

export const brandOf = (kind: BrandedKind, { colors, logo }: Pick<Design, "colors" | "logo">): Brand => ({
  colors: paletteOf(kind, colors),
  logo: logo ?? null,
});
