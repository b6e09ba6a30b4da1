"use client";
import { Button } from "@heroui/react";
import { useMemo } from "react";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Json } from "@/components/ui/json";
import { Link } from "@/components/ui/link";
import { SidePanel } from "@/components/ui/side-panel";
import { Time } from "@/components/ui/time";
import { ActorName } from "../_data/actor-name";
import { useActors } from "../_data/names";
import { consoleHref } from "../_data/places";
import { useSession } from "../_shell/session";
import type { AuditEntry } from "./entry";
import { inWords } from "./words";

interface Props {
  entry: AuditEntry | null;
  onClose(): void;
  onNarrow(to: { actor: string } | { target: string }): void;
}

/** Shows one entry in full, with links to similar entries. */
export function EntryPanel({ entry, onClose, onNarrow }: Props) {
  return (
    <SidePanel
      isOpen={entry !== null}
      onOpenChange={onClose}
      title={entry && inWords(entry.action)}
      description={entry && <code className="font-mono text-xs">{entry.action}</code>}
    >
      {entry && <Entry entry={entry} onNarrow={onNarrow} />}
    </SidePanel>
  );
}

const actorTypes: Record<string, string> = {
  user: "Member",
  api_key: "API key",
  oauth_client: "OAuth client",
  job: "Background job",
  operator: "Command line",
};

function Entry({
  entry: { id, actor, target, detail, requestId, createdAt },
  onNarrow,
}: Pick<Props, "onNarrow"> & { entry: AuditEntry }) {
  const { can } = useSession();
  const actorOf = useActors(useMemo(() => [actor], [actor]));
  const place = consoleHref(target.id, detail);
  return (
    <div className="space-y-5">
      <Facts>
        <Fact name="When">
          <Time at={createdAt} as="exact" />
        </Fact>
        <Fact name="By">
          <ActorName actor={actorOf(actor)} />
          <span className="text-muted"> · {actorTypes[actor.type] ?? inWords(actor.type)}</span>
        </Fact>
        <Fact name="Actor id">
          <Copyable text={actor.id} what="actor id" />
        </Fact>
        <Fact name="About">
          {place ? (
            <Link href={place} className="font-medium hover:underline">
              {inWords(target.type)}
            </Link>
          ) : (
            inWords(target.type)
          )}
        </Fact>
        <Fact name="Target id">
          <Copyable text={target.id} what="target id" />
        </Fact>
        {id.startsWith("evt_") && (
          <Fact name="Event">
            {can("events:read") ? (
              <Link href={`/events?event=${id}`} className="font-medium hover:underline">
                In the event log
              </Link>
            ) : (
              id
            )}
          </Fact>
        )}
        {requestId && (
          <Fact name="Request">
            <Copyable text={requestId} what="request id" />
          </Fact>
        )}
      </Facts>
      {Object.keys(detail).length > 0 && <Json value={detail} what="details" />}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onPress={() => onNarrow({ actor: actor.id })}>
          Only by this actor
        </Button>
        <Button variant="outline" onPress={() => onNarrow({ target: target.id })}>
          Only about this target
        </Button>
      </div>
    </div>
  );
}
