import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Markdown } from "@/components/ui/markdown";
import { Panel } from "@/components/ui/panel";
import { useRegion } from "@/components/ui/region";
import { formatDay } from "@/server/core/dates";
import { evidenceText } from "@/server/templates/evidence-text";
import type { RouterOutputs } from "@/server/trpc/root";
import { NoFiles } from "../../templates/no-files";

type Card = RouterOutputs["credentials"]["card"];
type Award = NonNullable<Card["award"]>;

interface Props {
  card: Card & { award: Award };
  templateId: string;
}

/** The award of an academic credential: results, credits, evidence and the day, as its verifiers see them. */
export function AwardPanel({ card, templateId }: Props) {
  const { award, achievement, hiddenFromFiles } = card;
  const region = useRegion();
  return (
    <Panel title="Award" description="What the signed document states.">
      <div className="space-y-4">
        {award.results.length > 0 && <Results results={award.results} />}
        <Facts>
          <Fact name="Awarded on">{formatDay(award.awardedOn, region)}</Fact>
          <Fact name="Credits">
            {award.credits && (
              <>
                {award.credits.earned.toLocaleString(region.locale)}
                {award.credits.available !== null && (
                  <span className="text-muted"> of {award.credits.available.toLocaleString(region.locale)}</span>
                )}
              </>
            )}
          </Fact>
          <Fact name="Evidence">
            {award.evidence.length > 0 && (
              <ul className="space-y-3">
                {award.evidence.map((piece, i) => (
                  <li key={i}>
                    <Markdown text={evidenceText(piece)} className="text-pretty" />
                  </li>
                ))}
              </ul>
            )}
          </Fact>
          <Fact name="Achievement">
            {achievement !== null && (
              <>
                <Link href={`/achievements/${achievement.id}`} className="font-medium hover:underline">
                  {card.title}
                </Link>
                <span className="text-muted"> · version {achievement.version}</span>
              </>
            )}
          </Fact>
        </Facts>
        <NoFiles hidden={hiddenFromFiles} results={award.results} templateId={templateId} isIssued />
      </div>
    </Panel>
  );
}

function Results({ results }: { results: Award["results"] }) {
  return (
    <table aria-label="Results" className="w-full text-[0.8125rem]">
      <thead className="text-left text-xs text-muted">
        <tr>
          <th scope="col" className="w-2/5 py-1 pe-3 font-normal">
            Result
          </th>
          <th scope="col" className="py-1 pe-3 font-normal">
            Value
          </th>
          <th scope="col" className="py-1 font-normal">
            Remarks
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-separator">
        {results.map(({ key, name, value, remark }) => (
          <tr key={key}>
            <th scope="row" className="py-1.5 pe-3 text-left align-top font-normal wrap-anywhere">
              {name}
            </th>
            <td className="py-1.5 pe-3 align-top font-medium wrap-anywhere">{value}</td>
            <td className="py-1.5 align-top text-muted wrap-anywhere">{remark ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
