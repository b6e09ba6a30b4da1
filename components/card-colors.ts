interface Chosen {
  background?: string | undefined;
  foreground?: string | undefined;
  accent?: string | undefined;
}

export interface CardColors {
  background: string;
  foreground: string;
  accent: string;
}

const ink = "#14232b";
const paper = "#ffffff";

/** The colours of a card: those of its design, completed so that text stays readable on its background. */
export function cardColors({ background = "#0e4a63", foreground, accent }: Chosen = {}): CardColors {
  const readable = luminance(background) > 0.36 ? ink : paper;
  const text = foreground && contrast(foreground, background) >= 3 ? foreground : readable;
  return { background, foreground: text, accent: accent ?? text };
}

/** WCAG 2.2: 1 for the same colour, 21 for black on white. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
