"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Pencil, TextCursorInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import type { RouterOutputs } from "@/server/trpc/root";
import { MetadataPanel } from "../../_data/metadata-panel";
import { useSession } from "../../_shell/session";
import { typeWords } from "../type-words";
import { ContentPanels } from "./content-panels";
import { DeleteDialog } from "./delete-dialog";
import { Picture } from "./picture";
import { RenameDialog } from "./rename-dialog";
import { Versions } from "./versions";

const trail = [{ label: "Achievements", href: "/achievements" }];

export function Achievement({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.achievements.get.queryOptions({ id }));
  if (query.data) return <Detail achievement={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function Detail({ achievement }: { achievement: RouterOutputs["achievements"]["get"] }) {
  const { can } = useSession();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { version } = achievement;
  return (
    <>
      <PageHeader
        trail={trail}
        title={achievement.name}
        aside={<Status of={achievement.status} />}
        description={version.achievementType ? typeWords(version.achievementType) : undefined}
        actions={
          can("achievements:write") && (
            <>
              {achievement.status === "draft" && (
                <Button variant="outline" onPress={() => setDeleting(true)}>
                  <Trash2 aria-hidden="true" /> Delete
                </Button>
              )}
              <Button variant="outline" onPress={() => setRenaming(true)}>
                <TextCursorInput aria-hidden="true" /> Rename
              </Button>
              <ButtonLink href={`/achievements/${achievement.id}/edit`}>
                <Pencil aria-hidden="true" /> Edit
              </ButtonLink>
            </>
          )
        }
      />
      {achievement.status === "draft" && (
        <Notice className="mb-5">No credential can state it until a version is published.</Notice>
      )}
      {achievement.status === "archived" && (
        <Notice className="mb-5">
          No version is current, so nothing is issued from templates that name it. What was issued stays as it is.
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0 space-y-5">
          <ContentPanels achievement={achievement} />
        </div>
        <div className="min-w-0 space-y-5">
          <Picture achievement={achievement} canWrite={can("achievements:write")} />
          <Versions achievement={achievement} />
          <MetadataPanel record={achievement} useUpdate={useUpdate} canEdit={can("achievements:write")} />
        </div>
      </div>
      <RenameDialog isOpen={renaming} onOpenChange={setRenaming} achievement={achievement} />
      <DeleteDialog isOpen={deleting} onOpenChange={setDeleting} achievement={achievement} />
    </>
  );
}

function useUpdate(onDone: () => void) {
  return useAction(useTRPC().achievements.update.mutationOptions(), { done: "Saved", onDone });
}
