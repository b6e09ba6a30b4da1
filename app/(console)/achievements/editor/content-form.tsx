"use client";
import { Choice } from "@/components/ui/choice";
import { TextInput, TextInputArea } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { achievementTypeOptions } from "../type-words";
import { AlignmentRows } from "./alignment-rows";
import { labels, type Entered } from "./entered";
import { ResultRows } from "./result-rows";

interface Props {
  entered: Entered;
  onChange(entered: Entered): void;
}

/** The content of an achievement, explained for a person who has never heard of Open Badges. */
export function ContentForm({ entered, onChange }: Props) {
  const set =
    <K extends keyof Entered>(name: K) =>
    (value: Entered[K]) =>
      onChange({ ...entered, [name]: value });
  const text = (name: Exclude<keyof Entered, "alignments" | "resultDescriptions">) => ({
    label: labels[name],
    name,
    value: entered[name],
    onChange: set(name),
  });
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <div className="min-w-0 space-y-5">
        <Panel title="What it is">
          <div className="space-y-4">
            <TextInputArea
              {...text("description")}
              rows={4}
              isRequired
              placeholder="Two years of study of the theory and practice of computing, with a thesis."
            />
            <TextInputArea
              {...text("narrative")}
              name="criteria/narrative"
              rows={5}
              description="What somebody must do to earn it. Markdown works: **bold**, lists, links."
              placeholder="120 credits, of which 30 are for the thesis."
            />
            <TextInput
              {...text("url")}
              name="criteria/url"
              inputMode="url"
              placeholder="https://"
              description="Where anyone can read more. How it is earned or a page is needed; both are best."
            />
          </div>
        </Panel>
        <Panel title="Frameworks" description="What it corresponds to elsewhere: a level, a standard, a skill.">
          <AlignmentRows rows={entered.alignments} onChange={set("alignments")} />
        </Panel>
      </div>
      <div className="min-w-0 space-y-5">
        <Panel title="Details">
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <Choice
              label={labels.achievementType}
              name="achievementType"
              value={entered.achievementType || null}
              onChange={set("achievementType")}
              options={achievementTypeOptions(entered.achievementType)}
            />
            <TextInput
              {...text("creditsAvailable")}
              inputMode="decimal"
              description="Credit points that it gives at most."
            />
            <TextInput {...text("fieldOfStudy")} placeholder="Computer science" />
            <TextInput {...text("specialization")} placeholder="Distributed systems" />
            <TextInput {...text("humanCode")} mono placeholder="CS-MSC" description="Such as in your catalogue." />
            <TextInput
              {...text("inLanguage")}
              mono
              placeholder="en"
              description="The language of these texts, such as en, de or pt-BR."
            />
            <TextInput {...text("tags")} className="sm:col-span-2" description="Separated by commas." />
          </div>
        </Panel>
        <Panel title="Results" description="What credentials of it can hold: a grade, a score, a level.">
          <ResultRows rows={entered.resultDescriptions} onChange={set("resultDescriptions")} />
        </Panel>
      </div>
    </div>
  );
}
