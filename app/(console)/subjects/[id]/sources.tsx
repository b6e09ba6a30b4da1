import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useThingNames } from "../../_data/names";
import { useSession } from "../../_shell/session";

type Source = RouterOutputs["subjects"]["get"]["sources"][number];

/** The sources of a person: the connectors, the API and the console that provide their data. */
export function Sources({ sources }: { sources: Source[] }) {
  const nameOf = useThingNames(sources.flatMap(({ id }) => id ?? []));
  return (
    <Panel title="Comes from">
      {sources.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">No connector, and nobody here, provides this person any more.</p>
      ) : (
        <ul className="space-y-2.5 text-[0.8125rem]">
          {sources.map((source) => (
            <li key={source.id ?? source.type}>
              <SourceName source={source} name={source.id === null ? undefined : nameOf(source.id)} />
              <p className="text-xs text-muted">
                {source.missingSince !== null ? (
                  <>
                    {source.type === "scim" ? "Gone from the directory" : "Not in its files"} since{" "}
                    <Time at={source.missingSince} as="exact" />
                  </>
                ) : (
                  <>
                    Last {source.id === null ? "written" : "seen"} <Time at={source.lastSeenAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const ownNames: Partial<Record<Source["type"], string>> = { api: "The API", console: "The console" };

function SourceName({ source: { type, id }, name }: { source: Source; name: string | undefined }) {
  const { can } = useSession();
  if (id === null) return <span className="font-medium">{ownNames[type]}</span>;
  const shown = <bdi>{name ?? (type === "scim" ? "A directory" : "A connector")}</bdi>;
  if (!can("connectors:read")) return <span className="font-medium break-words">{shown}</span>;
  return (
    <Link href={`/connectors/${id}`} className="font-medium break-words hover:underline">
      {shown}
    </Link>
  );
}
