import type { Design } from "./design";
import { paletteOf, type Palette } from "./palette";
import type { TemplateKind } from "./view";

/** What a page that speaks for an organisation takes from the design of the template that it is about. */
export interface Brand {
  colors: Palette;
  /** A data URL; null without a logo. */
  logo: string | null;
}

export const brandOf = (kind: TemplateKind, { colors, logo }: Pick<Design, "colors" | "logo">): Brand => ({
  colors: paletteOf(kind, colors),
  logo: logo ?? null,
});
