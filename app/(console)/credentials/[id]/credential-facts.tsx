import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Json } from "@/components/ui/json";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { LastDay, Time } from "@/components/ui/time";
import type { CredentialView } from "@/server/credentials/view";
import { TemplateName } from "../../templates/template-name";
import { SourcePolicy } from "./source-policy";
import { Successors } from "./successors";

const sources: Record<CredentialView["source"]["type"], string> = {
  api: "API",
  policy: "Policy",
  console: "Console",
  bulk: "Bulk action",
};

/** The data of an academic credential, without what the award panel shows. */
function withoutAward({
  results: _,
  creditsEarned: __,
  evidence: ___,
  awardedDate: ____,
  ...data
}: CredentialView["data"]) {
  return data;
}

export function CredentialFacts({
  credential: c,
  version,
  successors,
}: {
  credential: CredentialView;
  version: number | undefined;
  successors: CredentialView[] | undefined;
}) {
  const data = c.kind === "academic" ? withoutAward(c.data) : c.data;
  const hasData = Object.keys(data).length > 0;
  return (
    <Panel title="Details">
      <Facts>
        <Fact name="Id in the API">
          <Copyable text={c.id} what="id in the API" />
        </Fact>
        <Fact name="Template">
          <Link href={`/templates/${c.templateId}`} className="font-medium hover:underline">
            <TemplateName id={c.templateId} />
          </Link>
          {version !== undefined && <span className="text-muted"> · version {version}</span>}
        </Fact>
        <Fact name="Valid from">
          <Time at={c.validFrom} as="exact" />
        </Fact>
        <Fact name="Valid through">
          <LastDay end={c.expiresAt} absent="No end" exact />
        </Fact>
        <Fact name="Issued via">
          {c.source.type === "bulk" && c.source.id ? (
            <Link href={`/jobs/${c.source.id}`} className="hover:underline">
              Bulk action
            </Link>
          ) : c.source.type === "policy" && c.source.id ? (
            <SourcePolicy id={c.source.id} subjectId={c.subjectId} />
          ) : c.source.id?.startsWith("clk_") ? (
            <Link href={`/claims/${c.source.id}`} className="hover:underline">
              Claim link
            </Link>
          ) : (
            sources[c.source.type]
          )}
        </Fact>
        {c.supersedes && (
          <Fact name="Replaces">
            <Link href={`/credentials/${c.supersedes}`} className="hover:underline">
              An earlier credential
            </Link>
          </Fact>
        )}
        {c.supersededBy && (
          <Fact name="Replaced by">
            <Successors chain={successors} />
            <p className="mt-1 text-xs text-muted">
              {c.linkedPublicly ? "Its public page points to the next one." : "Its public page does not say which."}
            </p>
          </Fact>
        )}
        <Fact name="Events">
          <Link href={`/events?resource=${c.id}`} className="hover:underline">
            In the event log
          </Link>
        </Fact>
      </Facts>
      {hasData && (
        <div className="mt-4 border-t pt-4">
          <h3 className="mb-2 text-[0.8125rem] font-medium">
            {c.kind === "academic" ? "Recorded at issue" : "What stands on it"}{" "}
            <code className="ms-1 font-mono text-xs font-normal text-muted">data</code>
          </h3>
          <Json value={data} what="data" />
        </div>
      )}
    </Panel>
  );
}
