import { Markdown } from "@/components/ui/markdown";
import type { PublicAchievement } from "@/server/verification/public-page";
import { say } from "./words";

/** The description and criteria of a credential's achievement. */
export function AchievementText({ achievement }: { achievement: PublicAchievement }) {
  const { name, description, criteria } = achievement;
  return (
    <section aria-labelledby="achievement" className="space-y-3 text-[0.8125rem]">
      <h2 id="achievement" className="text-base font-semibold wrap-anywhere">
        <bdi>{name}</bdi>
      </h2>
      <p className="whitespace-pre-line text-pretty wrap-anywhere">{description}</p>
      <h3 className="font-medium">{say("How it is earned")}</h3>
      {criteria.narrative && <Markdown text={criteria.narrative} className="text-pretty" />}
      {criteria.url && (
        <a
          href={criteria.url}
          target="_blank"
          rel="noopener noreferrer"
          className="block text-link wrap-anywhere underline"
        >
          {criteria.url}
        </a>
      )}
    </section>
  );
}
