"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import { ActorName } from "../../_data/actor-name";
import { useActors } from "../../_data/names";
import { aboutOf, writtenAt, type LoggedEvent } from "../../events/about";
import { eventWords } from "../../events/words";

const shown = 10;

/**
 * Events that changed a person or their credentials. Views of a credential are left out, because there can be
 * thousands.
 */
const types =
  "subject.*,credential.created,credential.issued,credential.updated,credential.suspended,credential.resumed,credential.revoked,credential.expired";

const none: LoggedEvent[] = [];

/** The newest changes of a person and of their credentials, with who made them. */
export function History({ subjectId }: { subjectId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.events.list.queryOptions({ relatedTo: subjectId, type: types, limit: shown }));
  const actorOf = useActors(useMemo(() => (data?.data ?? none).map(({ actor }) => actor), [data]));
  if (!data) return null;
  return (
    <Panel
      title="History"
      actions={
        data.data.length > 0 && (
          <ButtonLink href={`/events?resource=${subjectId}`} variant="outline" size="sm">
            All events
          </ButtonLink>
        )
      }
    >
      {data.data.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">Nothing in the time for which events are kept.</p>
      ) : (
        <ol className="space-y-2.5 text-[0.8125rem]">
          {data.data.map((event) => (
            <li key={event.id}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <What event={event} />
                <span className="text-xs text-muted">
                  <Time at={writtenAt(event)} />
                </span>
              </p>
              <p className="text-xs text-muted">
                by <ActorName actor={actorOf(event.actor)} />
                {changed(event) && `: ${changed(event)}`}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function What({ event }: { event: LoggedEvent }) {
  const { id } = aboutOf(event);
  const words = eventWords(event.type);
  if (!id.startsWith("crd_")) return <span className="font-medium">{words}</span>;
  return (
    <Link href={`/credentials/${id}`} className="font-medium hover:underline">
      {words}
    </Link>
  );
}

const fieldWords: Record<string, string> = {
  displayName: "name",
  email: "e-mail",
  status: "status",
  externalId: "your id",
};

/** The person's fields that an event says were changed. Events never hold attributes. */
const changed = ({ type, data }: LoggedEvent): string =>
  type === "subject.updated"
    ? Object.keys(data.previous ?? {})
        .flatMap((field) => fieldWords[field] ?? [])
        .join(", ")
    : "";
