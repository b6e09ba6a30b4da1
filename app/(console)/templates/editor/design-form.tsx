"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Panel } from "@/components/ui/panel";
import { useRegion } from "@/components/ui/region";
import type { SubjectView } from "@/server/subjects/view";
import { fieldText } from "@/server/templates/field-text";
import { shownFields } from "@/server/templates/fields";
import { hiddenParts } from "@/server/templates/hidden-from-files";
import type { TemplateKind } from "@/server/templates/view";
import { useStated, type Stated } from "../../achievements/use-stated";
import { NoFiles } from "../no-files";
import { AchievementPanel } from "./achievement-panel";
import { statedFields } from "./bindings";
import type { Draft } from "./draft";
import { FieldList } from "./field-list";
import { LookPanel } from "./look-panel";
import { OfflinePanel } from "./offline-panel";
import { Preview } from "./preview";
import { sampleSource } from "./sample";
import { SideSwitch, type Side } from "./side-switch";
import { WalletPanel, withoutStaleBarcode } from "./wallet-panel";
import { ValidityInput } from "./validity-input";

interface Props {
  kind: TemplateKind;
  title: string;
  draft: Draft;
  onChange(draft: Draft): void;
}

/** The form for the design of a template version, next to a preview of the card. */
export function DesignForm({ kind, title, draft, onChange }: Props) {
  const { design, validity } = draft;
  const region = useRegion();
  const { results, credits } = useStated(kind === "academic" ? draft.achievementId : null);
  const stated = statedFields(results, credits);
  const issuer = useQuery(useTRPC().issuer.get.queryOptions({}, { enabled: kind === "academic" }));
  const [side, setSide] = useState<Side>("front");
  const [isPublic, setPublic] = useState(false);
  const [person, setPerson] = useState<SubjectView | null>(null);
  const source = person
    ? { ...sampleSource(design, region.timeZone, validity), subject: person, attributes: person.attributes }
    : undefined;
  const values = source && shownFields(design, source, "all", region);
  const saysOf = (key: string) => {
    const field = values?.find((each) => each.key === key);
    if (!field || !person) return null;
    const text = fieldText(field, region);
    const who = person.displayName || "This person";
    return text ? `${who}: ${text}` : `${who} has no value here, so the card leaves the field out.`;
  };
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="space-y-5">
        {kind === "academic" && (
          <AchievementPanel
            value={draft.achievementId}
            onChange={(achievementId) => onChange({ ...draft, achievementId })}
          />
        )}
        <LookPanel
          kind={kind}
          design={design}
          onChange={(part) => onChange({ ...draft, design: { ...design, ...part } })}
        />
        <Panel
          title="Fields"
          description="What stands on the card, and what of it anyone who verifies may see."
          actions={<SideSwitch label="Side whose fields are shown" value={side} onChange={setSide} />}
        >
          <FieldList
            kind={kind}
            design={design}
            stated={stated}
            side={side}
            saysOf={saysOf}
            onChange={(next) => onChange({ ...draft, design: withoutStaleBarcode(next) })}
          />
          {kind === "academic" && issuer.data && (
            <div className="mt-3">
              <NoFiles
                hidden={hiddenParts(design, issuer.data.recipientIdentity, results, complete(results, credits))}
                results={results}
              />
            </div>
          )}
        </Panel>
        <WalletPanel design={design} onChange={(next) => onChange({ ...draft, design: next })} />
        <OfflinePanel design={design} onChange={(next) => onChange({ ...draft, design: next })} />
        <Panel title="Validity">
          <ValidityInput value={validity} onChange={(next) => onChange({ ...draft, validity: next })} />
        </Panel>
      </div>
      <Preview
        {...{ kind, title, draft, side, person, source, isPublic }}
        onSide={setSide}
        onPerson={setPerson}
        onPublic={setPublic}
      />
    </div>
  );
}

/**
 * The data of a credential with every result and all credits, to find out which of them the public page would leave
 * out.
 */
function complete(results: Stated["results"], credits: number | null): Record<string, unknown> {
  return {
    results: Object.fromEntries(results.map(({ key }) => [key, "any"])),
    ...(credits !== null && { creditsEarned: credits }),
  };
}
