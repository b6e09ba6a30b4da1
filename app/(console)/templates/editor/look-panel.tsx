import { Choice } from "@/components/ui/choice";
import { Panel } from "@/components/ui/panel";
import type { Design } from "@/server/templates/design";
import { paletteOf } from "@/server/templates/palette";
import type { TemplateKind } from "@/server/templates/view";
import { ColourInput } from "./colour-input";
import { ContrastNote } from "./contrast-note";
import { ImageInput } from "./image-input";

const fonts = [
  { value: "usual", label: "Default", description: "Sans; on certificates, names in a serif of the device." },
  { value: "sans", label: "Inter", description: "Sans serif" },
  { value: "serif", label: "Noto Serif", description: "With serifs" },
] as const;

interface Props {
  kind: TemplateKind;
  design: Design;
  onChange(part: Partial<Design>): void;
}

/** Colours, typeface and pictures of a design. */
export function LookPanel({ kind, design, onChange }: Props) {
  const palette = paletteOf(kind, design.colors);
  const colour = (name: "background" | "foreground" | "accent") => ({
    value: design.colors?.[name],
    fallback: palette[name],
    onChange: (value: string | undefined) => onChange({ colors: { ...design.colors, [name]: value } }),
  });
  const picture = (side: "front" | "back") => ({
    value: design[side]?.background,
    onChange: (background: string | undefined) => onChange({ [side]: { fields: [], ...design[side], background } }),
    maxKibibytes: 384,
    maxSide: 1400,
  });
  const ground = palette.background;
  return (
    <Panel title="Look">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        <ColourInput label="Background" {...colour("background")} />
        <ColourInput
          label="Text"
          {...colour("foreground")}
          note={<ContrastNote colour={palette.foreground} ground={ground} needed={4.5} />}
        />
        <ColourInput
          label="Accent"
          {...colour("accent")}
          note={<ContrastNote colour={palette.accent} ground={ground} needed={4.5} />}
        />
      </div>
      <div className="mt-5 grid grid-cols-1 gap-4 sm:grid-cols-2">
        <ImageInput
          label="Logo"
          value={design.logo}
          onChange={(logo) => onChange({ logo })}
          maxKibibytes={128}
          maxSide={512}
          description="PNG, JPEG or WebP. A transparent one fits any colour."
        />
        <Choice
          label="Typeface"
          value={design.font ?? "usual"}
          onChange={(font) => onChange({ font: font === "usual" ? undefined : font })}
          options={fonts}
          description="Comes with this service: nothing is loaded from elsewhere."
        />
        <ImageInput
          label="Picture of the front"
          {...picture("front")}
          description="Behind everything else, filling the card."
        />
        <ImageInput
          label="Picture of the back"
          {...picture("back")}
          description="Without it, the lines in the accent's colour."
        />
      </div>
      {(design.front?.background || design.back?.background) && (
        <p className="mt-3 text-xs text-pretty text-muted">
          The contrast is measured with the background colour. Look at the preview to see whether everything can be read
          on the picture.
        </p>
      )}
    </Panel>
  );
}
