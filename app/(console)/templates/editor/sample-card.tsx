"use client";
import { CredentialCard } from "@/components/credential-card";
import { photoBinding, type BindingSource } from "@/server/templates/binding";
import { fieldsOf, namesHolder, type Design } from "@/server/templates/design";
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
  /** The achievement whose name the credentials show instead of the template's. */
  achievementId: string | null | undefined;
  design: Design;
  validity: Validity;
  /** The person whose values the card shows; a made-up person by default. */
  source?: BindingSource;
  /** The photo of that person; undefined if they have none or the design shows none. */
  photo?: string | undefined;
  side?: "front" | "back";
  /** Whether to show only what anyone with the code sees, instead of the whole card. */
  isPublic?: boolean;
  /** The reader's format of dates and language of texts; the organisation's by default. */
  locale?: string;
  className?: string;
}

/** Previews a design as its credentials will look. */
export function SampleCard({
  kind,
  title,
  achievementId,
  design,
  validity,
  source,
  photo,
  side,
  isPublic = false,
  locale,
  className,
}: Props) {
  const { current } = useSession();
  const region = { timeZone: current.timeZone, locale: locale ?? current.locale };
  const shown = source ?? sampleSource(design, current.timeZone, validity);
  return (
    <CredentialCard
      kind={kind}
      title={useAwardTitle(title, achievementId)}
      issuer={current.name}
      holder={isPublic && !namesHolder(design) ? "" : shown.subject.displayName}
      {...(isPublic && { unnamed: "Name not public" })}
      {...(side && { side })}
      design={design}
      fields={shownFields(design, shown, isPublic ? "public" : "all", region)}
      photo={isPublic && !isPhotoPublic(design) ? undefined : source ? photo : samplePhoto}
      region={region}
      className={className}
    />
  );
}

const isPhotoPublic = (design: Design) =>
  fieldsOf(design).some(({ key, binding }) => binding === photoBinding && design.publicFields?.includes(key));
