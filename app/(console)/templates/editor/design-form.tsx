"use client";
import { useState } from "react";
import { paletteOf } from "@/server/templates/palette";
import { Panel } from "@/components/ui/panel";
import { UnreadContext } from "@/components/ui/unread-fields";
import { useRegion } from "@/components/ui/region";
import type { SubjectView } from "@/server/subjects/view";
import { showsPhoto, type Design } from "@/server/templates/design";
import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";
import { SubjectPicker } from "../../subjects/subject-picker";
import { usePhoto } from "../../subjects/use-photo";
import { AchievementPanel } from "./achievement-panel";
import { ColourInput } from "./colour-input";
import { FieldList } from "./field-list";
import { ImageInput } from "./image-input";
import { SampleCard } from "./sample-card";
import { sampleSource } from "./sample";
import { WalletPanel, withoutStaleBarcode } from "./wallet-panel";
import { ValidityInput } from "./validity-input";

export interface Draft {
  design: Design;
  validity: Validity;
  /** The achievement that credentials of an academic template state. */
  achievementId: string | null;
}

interface Props {
  kind: TemplateKind;
  title: string;
  draft: Draft;
  onChange(draft: Draft): void;
}

/** The parts of a version that can be designed, with the card beside them as it will look. */
export function DesignForm({ kind, title, draft, onChange }: Props) {
  const { design } = draft;
  const palette = paletteOf(kind, undefined);
  const change = (part: Partial<Design>) => onChange({ ...draft, design: { ...design, ...part } });
  const colour = (name: "background" | "foreground" | "accent") => ({
    value: design.colors?.[name],
    fallback: paletteOf(kind, design.colors)[name] ?? palette[name],
    onChange: (value: string | undefined) => change({ colors: { ...design.colors, [name]: value } }),
  });
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="space-y-5">
        <Panel title="Look">
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
            <ColourInput label="Background" {...colour("background")} />
            <ColourInput label="Text" {...colour("foreground")} />
            <ColourInput label="Accent" {...colour("accent")} />
          </div>
          <div className="mt-5 grid grid-cols-1 gap-4 sm:grid-cols-2">
            <ImageInput
              label="Logo"
              value={design.logo}
              onChange={(logo) => change({ logo })}
              maxKibibytes={128}
              maxSide={512}
              description="PNG, JPEG or WebP. A transparent one fits any colour."
            />
            <ImageInput
              label="Background picture"
              value={design.front?.background}
              onChange={(background) => change({ front: { fields: [], ...design.front, background } })}
              maxKibibytes={384}
              maxSide={1400}
              description="Behind everything else, filling the card."
            />
          </div>
        </Panel>
        <Panel title="Fields" description="What stands on the card, and what of it anyone who verifies may see.">
          <FieldList
            kind={kind}
            design={design}
            onChange={(next) => onChange({ ...draft, design: withoutStaleBarcode(next) })}
          />
        </Panel>
        {kind === "academic" && (
          <AchievementPanel
            value={draft.achievementId}
            onChange={(achievementId) => onChange({ ...draft, achievementId })}
          />
        )}
        <WalletPanel design={design} onChange={(next) => onChange({ ...draft, design: next })} />
        <Panel title="Validity">
          <ValidityInput value={draft.validity} onChange={(validity) => onChange({ ...draft, validity })} />
        </Panel>
      </div>
      <Preview kind={kind} title={title} draft={draft} />
    </div>
  );
}

function Preview({ kind, title, draft }: Omit<Props, "onChange">) {
  const { design, validity } = draft;
  const [picked, setPicked] = useState<SubjectView | null>(null);
  const { timeZone } = useRegion();
  const sample = sampleSource(design, timeZone, validity);
  const source = picked ? { ...sample, subject: picked, attributes: picked.attributes } : undefined;
  const photo = usePhoto(picked && showsPhoto(design, picked) ? picked : undefined);
  return (
    <div className="top-9 max-lg:order-first lg:sticky">
      <div className="rounded-2xl border bg-surface-secondary p-6">
        <SampleCard
          kind={kind}
          title={title || "Name of the template"}
          {...draft}
          achievementId={kind === "academic" ? draft.achievementId : null}
          source={source}
          photo={photo}
        />
      </div>
      <div className="mt-4 max-lg:hidden">
        {/* Whose card is shown as a sample is no part of the form: it is saved with whatever is typed here. */}
        <UnreadContext value={null}>
          <SubjectPicker label="Preview with" value={picked} onChange={setPicked} />
        </UnreadContext>
      </div>
    </div>
  );
}
