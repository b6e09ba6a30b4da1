"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { CirclePause, CirclePlay, FileUp, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { useSession } from "../../_shell/session";
import { adoptOptions } from "../providers";
import { count, fileAdoptOptions, isFetched, isSentTo, missingOptions, type Connector } from "../words";
import { MappingTable } from "./mapping-table";
import { DeleteDialog } from "./delete-dialog";
import { Directory } from "./directory/directory";
import { DirectoryTabs } from "./directory/directory-tabs";
import { PauseDialog } from "./directory/pause-dialog";
import { FeedDifferences } from "./feed-differences";
import { RunList } from "./run-list";
import { PgpKey } from "./pgp-key";
import { SftpAccess } from "./sftp-access";
import { UploadDialog } from "./upload-dialog";

const trail = [{ label: "Connectors", href: "/connectors" }];

export function ConnectorPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.connectors.get.queryOptions({ id }));
  if (query.data) return <ConnectorDetail connector={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function ScheduleFact({ connector: { schedule, nextRunAt } }: { connector: Connector }) {
  if (!schedule) return "Only when somebody runs it";
  return (
    <>
      <code className="font-mono text-xs">{schedule.cron}</code> in {schedule.timeZone}
      {nextRunAt && (
        <>
          , next <Time at={nextRunAt} as="exact" />
        </>
      )}
    </>
  );
}

function ConnectorDetail({ connector }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [dialog, setDialog] = useState<"upload" | "delete" | "pause" | null>(null);
  const opener = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  });
  const pause = useAction(trpc.connectors.update.mutationOptions(), { done: "Saved", loud: true });
  const isActive = connector.status === "active";
  const isDirectory = connector.type === "scim";
  const isAsked = isFetched(connector);
  const { host, port, path, hostKey } = connector.settings as Record<string, string> & {
    hostKey?: { fingerprint: string } | null;
  };
  const hasServer = Boolean(host);
  const router = useRouter();
  const sync = useAction(trpc.connectors.sync.mutationOptions(), {
    done: "The run is queued",
    loud: true,
    onDone: ({ id }) => router.push(`/connectors/${connector.id}/runs/${id}`),
  });
  const { deactivations, deactivationPercent } = connector.limits;
  const lists = (connector.settings["replaceOnAdd"] as string[] | undefined) ?? [];
  return (
    <>
      <PageHeader
        trail={trail}
        title={<bdi>{connector.name}</bdi>}
        aside={!isActive && <Status of={connector.status} />}
        actions={
          <>
            {can("connectors:run") && isActive && isAsked && (
              <Button isPending={sync.isPending} onPress={() => sync.run({ id: connector.id })}>
                <RefreshCw aria-hidden="true" /> Run now
              </Button>
            )}
            {can("connectors:run") && isActive && !isDirectory && !isAsked && (
              <Button onPress={() => setDialog("upload")}>
                <FileUp aria-hidden="true" /> Upload file
              </Button>
            )}
            {can("connectors:write") && (
              <ButtonLink variant="outline" href={`/connectors/${connector.id}/edit`}>
                <Pencil aria-hidden="true" /> Edit
              </ButtonLink>
            )}
            {can("connectors:write") && (
              <RowMenu
                outlined
                label="More actions"
                actions={[
                  {
                    id: "pause",
                    label: isActive ? "Pause" : "Resume",
                    icon: isActive ? CirclePause : CirclePlay,
                    onAction: () =>
                      isActive && isDirectory
                        ? setDialog("pause")
                        : pause.run({ id: connector.id, status: isActive ? "paused" : "active" }),
                  },
                  { id: "delete", label: "Delete", icon: Trash2, danger: true, onAction: () => setDialog("delete") },
                ]}
              />
            )}
          </>
        }
      />
      {isDirectory && <DirectoryTabs id={connector.id} />}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        {isDirectory ? (
          <Directory connector={connector} />
        ) : (
          <div className="min-w-0 space-y-5">
            <RunList connector={connector} />
            <FeedDifferences connector={connector} />
          </div>
        )}
        <div className="space-y-5">
          {isSentTo(connector) && <SftpAccess connector={connector} />}
          <Panel title="Details">
            <Facts>
              <Fact name="Address">{connector.type === "http" && <bdi>{String(connector.settings["url"])}</bdi>}</Fact>
              <Fact name="Server">
                {hasServer && (
                  <bdi>
                    {host}:{port}
                  </bdi>
                )}
              </Fact>
              <Fact name="Path">{hasServer && <bdi>{path}</bdi>}</Fact>
              <Fact name="Key of the server">
                {hasServer &&
                  (hostKey ? (
                    <span className="font-mono text-xs break-all">{hostKey.fingerprint}</span>
                  ) : (
                    "Not approved yet"
                  ))}
              </Fact>
              <Fact name="Schedule">{isAsked && <ScheduleFact connector={connector} />}</Fact>
              <Fact name={isAsked ? "It lists" : "A file lists"}>
                {!isDirectory && (connector.mode === "full" ? "Everybody" : "Those who changed")}
              </Fact>
              <Fact name="Who is missing">
                {connector.mode === "full" && missingOptions.find(({ value }) => value === connector.missing)!.label}
              </Fact>
              <Fact name="Held for approval">
                More than {count(deactivations)} {isDirectory ? "removals" : "deactivations"} in 24 hours
                {deactivationPercent > 0 && `, or more than ${deactivationPercent} % of its people if that is more`}
              </Fact>
              <Fact name="People who are here already">
                {(isDirectory ? adoptOptions : fileAdoptOptions).find(({ value }) => value === connector.adopt)!.label}
              </Fact>
              <Fact name="Priority">
                {connector.priority}. Where several connectors give a field a value, the lowest number decides.
              </Fact>
              <Fact name="Lists that hold what was sent last">{lists.length > 0 && lists.join(", ")}</Fact>
              <Fact name="Id in the API">
                <Copyable text={connector.id} what="id in the API" />
              </Fact>
              <Fact name="Created">
                <Time at={connector.createdAt} as="exact" />
              </Fact>
            </Facts>
          </Panel>
          <MappingTable
            mapping={connector.mapping}
            description={
              isDirectory
                ? "Which attribute of the directory fills which field. Edit the connector to change it."
                : "Which column of a file gives which field."
            }
          />
          {(connector.type === "csv" || connector.type === "sftp") && <PgpKey connector={connector} />}
        </div>
      </div>
      <UploadDialog {...opener("upload")} connector={connector} />
      <PauseDialog {...opener("pause")} connector={connector} />
      <DeleteDialog {...opener("delete")} connector={connector} />
    </>
  );
}
