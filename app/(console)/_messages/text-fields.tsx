"use client";
import { Button } from "@heroui/react";
import { Choice } from "@/components/ui/choice";
import { TextInput, TextInputArea } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { automaticKinds, type AutomaticKind } from "@/server/message-texts/kinds";
import { holdsPlaceholder, placeholders } from "@/server/message-texts/placeholders";
import type { MessageText } from "@/server/message-texts/texts";
import { kindWords } from "../messages/words";
import type { EnteredDefaults } from "./entered";

interface Props {
  kind: AutomaticKind;
  onKind(kind: AutomaticKind): void;
  texts: EnteredDefaults["texts"];
  onChange(texts: EnteredDefaults["texts"]): void;
  /** The text that applies if no own text is set. */
  fallback(kind: AutomaticKind): MessageText;
  isReadOnly?: boolean;
}

/** The fields for subject and body, of one kind of message at a time. */
export function TextFields({ kind, onKind, texts, onChange, fallback, isReadOnly = false }: Props) {
  const own = texts[kind];
  const shown = own ?? fallback(kind);
  const write = (part: Partial<MessageText>) => onChange({ ...texts, [kind]: { ...shown, ...part } });
  return (
    <div className="space-y-4">
      <Choice
        label="Message"
        value={kind}
        onChange={onKind}
        options={automaticKinds.map((value) => ({
          value,
          label: `${kindWords[value]}${texts[value] ? " (own text)" : ""}`,
        }))}
      />
      <TextInput
        key={`subject ${kind}`}
        label="Subject"
        name={`messages/texts/${kind}/subject`}
        value={shown.subject}
        onChange={(subject) => write({ subject })}
        maxLength={150}
        isReadOnly={isReadOnly}
      />
      <TextInputArea
        key={`body ${kind}`}
        label="Text"
        name={`messages/texts/${kind}/body`}
        value={shown.body}
        onChange={(body) => write({ body })}
        rows={12}
        maxLength={5000}
        isReadOnly={isReadOnly}
        description="Plain text. An empty line begins a paragraph; web addresses become links. {{link}} on a line of its own becomes a button."
      />
      {kind === "issued" && own && !holdsPlaceholder(own.body, "link") && (
        <Notice tone="warning" title="The text has no {{link}}">
          Holders who get this message cannot open the credential from it. Write {"{{link}}"} on a line of its own.
        </Notice>
      )}
      {!isReadOnly &&
        (own ? (
          <Button size="sm" variant="outline" onPress={() => onChange({ ...texts, [kind]: null })}>
            Use the default text
          </Button>
        ) : (
          <p className="text-xs text-muted">This is the default text. Change it to write your own.</p>
        ))}
      <details className="text-xs text-muted">
        <summary className="cursor-pointer py-1.5">What the service fills in</summary>
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          {Object.entries(placeholders).map(([name, about]) => (
            <div key={name} className="contents">
              <dt>
                <code className="font-mono">{`{{${name}}}`}</code>
              </dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-2">A line is left out if one of its placeholders has no value.</p>
      </details>
    </div>
  );
}
