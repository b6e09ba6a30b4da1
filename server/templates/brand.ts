import type { Design } from "./design";
import { paletteOf, type Palette } from "./palette";

/** What a page that speaks for an organisation takes from the design of the template that it is about. */
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
