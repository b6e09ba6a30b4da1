"use client";
import { Chip } from "@heroui/react";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Markdown } from "@/components/ui/markdown";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { typeWords } from "../type-words";

type Version = RouterOutputs["achievements"]["get"]["version"];

/** Shows the content of a version of an achievement. */
export function ContentPanels({ achievement }: { achievement: RouterOutputs["achievements"]["get"] }) {
  const { version } = achievement;
  const { criteria } = version;
  return (
    <>
      <Panel title="What it is">
        <div className="space-y-4 text-[0.8125rem]">
          <p className="whitespace-pre-line text-pretty wrap-anywhere">{version.description}</p>
          <div>
            <h3 className="font-medium">How it is earned</h3>
            {criteria.narrative && <Markdown text={criteria.narrative} className="mt-1 text-pretty" />}
            {criteria.url && <Out url={criteria.url} />}
          </div>
        </div>
      </Panel>
      <Panel title="Details">
        <Facts>
          <Fact name="Id in the API">
            <Copyable text={achievement.id} what="id in the API" />
          </Fact>
          {version.name !== achievement.name && (
            <Fact name="Credentials state">
              <bdi>{version.name}</bdi>
            </Fact>
          )}
          <Fact name="Type">{version.achievementType && typeWords(version.achievementType)}</Fact>
          <Fact name="Credits">{version.creditsAvailable?.toLocaleString("en")}</Fact>
          <Fact name="Field of study">{version.fieldOfStudy}</Fact>
          <Fact name="Specialisation">{version.specialization}</Fact>
          <Fact name="Code">{version.humanCode}</Fact>
          <Fact name="Language">{version.inLanguage}</Fact>
          <Fact name="Tags">
            {version.tags.length > 0 && (
              <span className="flex flex-wrap gap-1.5">
                {version.tags.map((tag) => (
                  <Chip key={tag} variant="soft">
                    {tag}
                  </Chip>
                ))}
              </span>
            )}
          </Fact>
          <Fact name="Changed">
            <Time at={achievement.updatedAt} />
          </Fact>
        </Facts>
      </Panel>
      {version.alignments.length > 0 && <Alignments alignments={version.alignments} />}
      {version.resultDescriptions.length > 0 && <Results results={version.resultDescriptions} />}
    </>
  );
}

function Alignments({ alignments }: { alignments: Version["alignments"] }) {
  return (
    <Panel title="Frameworks">
      <ul className="divide-y divide-separator text-[0.8125rem]">
        {alignments.map((each, i) => (
          <li key={i} className="py-2 first:pt-0 last:pb-0">
            <p className="font-medium wrap-anywhere">{each.targetName}</p>
            <p className="text-muted wrap-anywhere">
              {[each.targetFramework, each.targetCode].filter(Boolean).join(" · ")}
            </p>
            <Out url={each.targetUrl} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Results({ results }: { results: Version["resultDescriptions"] }) {
  return (
    <Panel title="Results" description="What credentials of it can hold.">
      <Facts>
        {results.map((each) => (
          <Fact key={each.key} name={each.name}>
            {typeWords(each.resultType)}
            <span className="block text-muted">{boundsOf(each)}</span>
            <code className="block font-mono text-xs text-muted">{each.key}</code>
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

function boundsOf({
  allowedValues,
  rubricLevels,
  valueMin,
  valueMax,
  requiredValue,
  requiredLevel,
}: Version["resultDescriptions"][number]) {
  return [
    allowedValues?.join(", "),
    rubricLevels?.map(({ name, points }) => (points === undefined ? name : `${name} (${points} points)`)).join(", "),
    valueMin !== undefined && `from ${valueMin}`,
    valueMax !== undefined && `up to ${valueMax}`,
    requiredValue !== undefined && `${requiredValue} to pass`,
    requiredLevel !== undefined && `${rubricLevels?.find(({ key }) => key === requiredLevel)?.name} to pass`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function Out({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="mt-1 block text-accent wrap-anywhere underline">
      {url}
    </a>
  );
}
