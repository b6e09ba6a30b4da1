"use client";
import { Button, Input, TextField } from "@heroui/react";
import { Languages, Trash2 } from "lucide-react";
import { Choice } from "@/components/ui/choice";
import { useRegion } from "@/components/ui/region";

/** One text for all languages, or one for each language tag. */
export type Localized = string | Record<string, string>;

interface Props {
  /** The label of the input: "Label" or "Text". */
  name: string;
  value: Localized;
  onChange(value: Localized): void;
}

const offered =
  "ar bg ca cs cy da de el en es et eu fi fr ga gl he hi hr hu id is it ja ko lt lv mt nb nl nn pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh".split(
    " ",
  );
const nameOf = new Intl.DisplayNames("en", { type: "language" });

/** A text of a card, in one language or several. */
export function LocalizedInput({ name, value, onChange }: Props) {
  const region = useRegion();
  const language = region.locale.split("-")[0]!;
  if (typeof value === "string")
    return (
      <div className="flex items-center gap-1">
        <TextField aria-label={name} value={value} onChange={onChange} fullWidth>
          <Input placeholder={name} className="h-8 py-0" />
        </TextField>
        <Button
          variant="ghost"
          size="sm"
          isIconOnly
          aria-label={`${name} in several languages`}
          onPress={() => onChange({ [language]: value, [language === "en" ? "de" : "en"]: "" })}
        >
          <Languages aria-hidden="true" />
        </Button>
      </div>
    );
  const entries = Object.entries(value);
  const without = (tag: string) => {
    const rest = entries.filter(([each]) => each !== tag);
    onChange(rest.length === 1 ? rest[0]![1] : Object.fromEntries(rest));
  };
  const free = offered.filter((tag) => !Object.hasOwn(value, tag));
  return (
    <div role="group" aria-label={`${name} by language`} className="space-y-1.5 sm:col-span-2">
      {entries.map(([tag, text]) => (
        <div key={tag} className="flex items-center gap-1">
          <span className="w-24 shrink-0 truncate text-xs text-muted">{languageName(tag)}</span>
          <TextField
            aria-label={`${name}, ${languageName(tag)}`}
            value={text}
            onChange={(next) => onChange({ ...value, [tag]: next })}
            fullWidth
          >
            <Input placeholder={name} lang={tag} dir="auto" className="h-8 py-0" />
          </TextField>
          <Button
            variant="ghost"
            size="sm"
            isIconOnly
            aria-label={`${name}: remove ${languageName(tag)}`}
            onPress={() => without(tag)}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Choice
        label={`${name}: add a language`}
        compact
        placeholder="Add a language"
        value={null}
        onChange={(tag: string) => onChange({ ...value, [tag]: "" })}
        options={free.map((tag) => ({ value: tag, label: languageName(tag) }))}
        className="w-44"
      />
    </div>
  );
}

/** Says who reads which language of a text. A form shows it once, however many of its texts have several languages. */
export function LanguageNote() {
  const language = useRegion().locale.split("-")[0]!;
  return (
    <p className="text-xs text-pretty text-muted">
      Public pages are in German for browsers that ask for it, else in English. Wallet passes and files are in your
      organisation’s language ({languageName(language)}). If a language is missing, its readers get English, or else the
      first by its code, such as de before fr.
    </p>
  );
}

function languageName(tag: string): string {
  return nameOf.of(tag) ?? tag;
}
