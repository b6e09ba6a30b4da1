"use client";
import { Switch } from "@heroui/react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { useRegion } from "@/components/ui/region";
import { UnreadContext } from "@/components/ui/unread-fields";
import { languages, localeIn } from "@/server/core/languages";
import type { BindingSource } from "@/server/templates/binding";
import { showsPhoto } from "@/server/templates/design";
import type { SubjectView } from "@/server/subjects/view";
import type { TemplateKind } from "@/server/templates/view";
import { SubjectPicker } from "../../subjects/subject-picker";
import { usePhoto } from "../../subjects/use-photo";
import type { Draft } from "./draft";
import { SampleCard } from "./sample-card";
import { SideSwitch, type Side } from "./side-switch";

interface Props {
  kind: TemplateKind;
  title: string;
  draft: Draft;
  side: Side;
  onSide(side: Side): void;
  /** The person whose card is shown; a made-up person if none is chosen. */
  person: SubjectView | null;
  onPerson(person: SubjectView | null): void;
  source: BindingSource | undefined;
  isPublic: boolean;
  onPublic(isPublic: boolean): void;
}

/** Previews the card, with a real person's values if one is chosen. */
export function Preview({ kind, title, draft, side, onSide, person, onPerson, source, isPublic, onPublic }: Props) {
  const { locale: own } = useRegion();
  const [locale, setLocale] = useState(own);
  const photo = usePhoto(person && showsPhoto(draft.design, person) ? person : undefined);
  return (
    <div className="top-9 max-lg:order-first lg:sticky">
      <div className="rounded-2xl border bg-surface-secondary p-6">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
          <SideSwitch label="Side of the card" value={side} onChange={onSide} />
          <Switch size="sm" isSelected={isPublic} onChange={onPublic}>
            <Switch.Content>
              <Switch.Control>
                <Switch.Thumb />
              </Switch.Control>
              <span className="text-xs text-muted">As the public sees it</span>
            </Switch.Content>
          </Switch>
        </div>
        <SampleCard
          kind={kind}
          title={title || "Name of the template"}
          {...draft}
          achievementId={kind === "academic" ? draft.achievementId : null}
          source={source}
          photo={photo}
          side={side}
          isPublic={isPublic}
          locale={locale}
        />
      </div>
      {/* The choice of the preview's person and viewer does not belong to the form. The form is saved with whatever is typed here. */}
      <UnreadContext value={null}>
        <div className="mt-4 space-y-4">
          <SubjectPicker label="Preview with" value={person} onChange={onPerson} />
          <Choice
            label="Language of the reader"
            value={locale}
            onChange={setLocale}
            options={localesOf(own).map((each) => ({ value: each, label: languageName(each) }))}
            description="Public pages are in German for browsers that ask for it, else in English. Wallet passes and files are in your organisation’s language."
          />
        </div>
      </UnreadContext>
      <Elsewhere kind={kind} draft={draft} />
    </div>
  );
}

/** The organisation's locale, and those of the public pages. */
const localesOf = (own: string) => [...new Set([own, ...languages.map((language) => localeIn(language, own))])];

const nameOf = new Intl.DisplayNames("en", { type: "language" });
const languageName = (locale: string) => nameOf.of(locale) ?? locale;

/** Where the design is shown besides the public page, and which parts cannot be shown there. */
function Elsewhere({ kind, draft: { design } }: Pick<Props, "kind" | "draft">) {
  return (
    <div className="mt-4 rounded-xl border p-4 text-xs text-pretty text-muted max-lg:hidden">
      <p className="font-medium text-foreground">Where it is shown</p>
      <ul className="mt-1.5 list-disc space-y-1 ps-4">
        <li>Public page: both sides, with what anyone may see.</li>
        <li>Picture beside a link: colours, typeface, picture, title, issuer and name.</li>
        {kind === "academic" && (
          <li>PDF: colours and logo, dates, credits and results. It has one page, so the back is not printed.</li>
        )}
        {design.wallet?.apple && (
          <li>
            Apple Wallet: colours, logo and public fields, those of the back on the back of the pass. The phone chooses
            places, widths and typeface; the picture of the front is shown from iOS 27 on.
          </li>
        )}
        {design.wallet?.google && (
          <li>
            Google Wallet: colour of the background, title, name and public fields, four of them on the front. Logo,
            picture and typeface are not shown there.
          </li>
        )}
      </ul>
    </div>
  );
}
