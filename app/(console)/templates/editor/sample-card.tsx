"use client";
import { CredentialCard } from "@/components/credential-card";
import type { BindingSource } from "@/server/templates/binding";
import type { Design } from "@/server/templates/design";
import { shownFields } from "@/server/templates/fields";
import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";
import { useSession } from "../../_shell/session";
import { useAwardTitle } from "../../_data/names";
import { samplePhoto, sampleSource } from "./sample";

interface Props {
  kind: TemplateKind;
  /** The template's name. */
  title: string;
  /** The achievement whose name the credentials have in its place. */
  achievementId: string | null | undefined;
  design: Design;
  validity: Validity;
  /** Whose values it shows; somebody made up unless given. */
  source?: BindingSource;
  /** Of that somebody; undefined where they have none that the design shows. */
  photo?: string | undefined;
  className?: string;
}

/** A design as its credentials will look. */
export function SampleCard({ kind, title, achievementId, design, validity, source, photo, className }: Props) {
  const { current } = useSession();
  const shown = source ?? sampleSource(design, current.timeZone, validity);
  return (
    <CredentialCard
      kind={kind}
      title={useAwardTitle(title, achievementId)}
      issuer={current.name}
      holder={shown.subject.displayName}
      design={design}
      fields={shownFields(design, shown, "all", current)}
      photo={source ? photo : samplePhoto}
      region={current}
      className={className}
    />
  );
}
