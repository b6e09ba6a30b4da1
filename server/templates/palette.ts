import type { Design } from "./design";

export interface Palette {
  background: string;
  foreground: string;
  accent: string;
}

const defaults = {
  membership: { background: "#0d3b4c", foreground: "#f5f7f4", accent: "#e2b65c" },
  employee_id: { background: "#1f2733", foreground: "#f4f6f8", accent: "#6fb1d6" },
  student_id: { background: "#5a1f33", foreground: "#fbf4f1", accent: "#f0b69c" },
  academic: { background: "#fbf8f0", foreground: "#22303a", accent: "#8c6a2f" },
} satisfies Record<string, Palette>;

/**
 * The colours of a card. If the design sets only a background, text has whichever of ink and paper is easier to read on
 * it.
 */
export function paletteOf(kind: keyof typeof defaults, colors: Design["colors"]): Palette {
  const base = defaults[kind];
  const background = colors?.background ?? base.background;
  const foreground = colors?.foreground ?? (colors?.background ? readableOn(background) : base.foreground);
  return { background, foreground, accent: colors?.accent ?? (colors?.background ? foreground : base.accent) };
}

function readableOn(hex: string): string {
  return luminance(hex) > 0.35 ? "#1b242b" : "#f8f7f3";
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). Text needs 4.5, large text 3. */
export function contrastOf(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
