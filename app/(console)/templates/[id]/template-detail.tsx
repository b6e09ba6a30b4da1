"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Pencil, TextCursorInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { useRegion } from "@/components/ui/region";
import { Time } from "@/components/ui/time";
import { fieldsOf, namesHolder } from "@/server/templates/design";
import { inLocale } from "@/server/templates/fields";
import type { RouterOutputs } from "@/server/trpc/root";
import { useThingName } from "../../_data/names";
import { MetadataPanel } from "../../_data/metadata-panel";
import { useSession } from "../../_shell/session";
import { SampleCard } from "../editor/sample-card";
import { kindNames } from "../kinds";
import { validityWords } from "../validity-words";
import { DeleteDialog } from "./delete-dialog";
import { MessagesPanel } from "./messages-panel";
import { RenameDialog } from "./rename-dialog";
import { RevokeAll } from "./revoke-all";
import { Versions } from "./versions";

const trail = [{ label: "Templates", href: "/templates" }];

export function Template({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.templates.get.queryOptions({ id }));
  if (query.data) return <TemplateDetail template={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function TemplateDetail({ template }: { template: RouterOutputs["templates"]["get"] }) {
  const { can } = useSession();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { version } = template;
  const region = useRegion();
  return (
    <>
      <PageHeader
        trail={trail}
        title={template.name}
        aside={<Status of={template.status} />}
        description={kindNames[template.kind]}
        actions={
          can("templates:write") && (
            <>
              {template.status === "draft" && (
                <Button variant="outline" onPress={() => setDeleting(true)}>
                  <Trash2 aria-hidden="true" /> Delete
                </Button>
              )}
              <Button variant="outline" onPress={() => setRenaming(true)}>
                <TextCursorInput aria-hidden="true" /> Change basics
              </Button>
              <ButtonLink href={`/templates/${template.id}/edit`}>
                <Pencil aria-hidden="true" /> Edit design
              </ButtonLink>
            </>
          )
        }
      />
      {template.status === "draft" && (
        <Notice className="mb-5">Nothing can be issued from it until a version is published.</Notice>
      )}
      {template.status === "archived" && (
        <Notice className="mb-5">
          No version is current, so nothing new is issued. What was issued stays as it is.
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="space-y-5">
          <div className="rounded-2xl border bg-surface-secondary p-6">
            <SampleCard kind={template.kind} title={template.name} {...version} />
          </div>
          <Panel title="Details">
            <Facts>
              <Fact name="Id in the API">
                <Copyable text={template.id} what="id in the API" />
              </Fact>
              <Fact name="Short name">
                <code className="font-mono text-xs">{template.slug}</code>
              </Fact>
              {version.achievementId && <Achievement id={version.achievementId} />}
              <Fact name="A person can hold">{template.repeatable ? "several at a time" : "one at a time"}</Fact>
              <Fact name="Holders">
                {template.confirmName ? "confirm their name before anything is issued" : "get it at once"}
              </Fact>
              <Fact name="Validity">{validityWords(version.validity, region)}</Fact>
              <Fact name="The public sees">{publicWords(version.design, region.locale)}</Fact>
              <Fact name="Changed">
                <Time at={template.updatedAt} />
              </Fact>
            </Facts>
          </Panel>
        </div>
        <div className="min-w-0 space-y-5">
          <Issued templateId={template.id} />
          <Versions template={template} />
          <MessagesPanel template={template} />
          <MetadataPanel record={template} useUpdate={useUpdate} canEdit={can("templates:write")} />
          {can("credentials:revoke_template") && <RevokeAll template={template} />}
        </div>
      </div>
      <RenameDialog isOpen={renaming} onOpenChange={setRenaming} template={template} />
      <DeleteDialog isOpen={deleting} onOpenChange={setDeleting} template={template} />
    </>
  );
}

function useUpdate(onDone: () => void) {
  return useAction(useTRPC().templates.update.mutationOptions(), { done: "Saved", onDone });
}

/** The achievement that the template's credentials state. */
function Achievement({ id }: { id: string }) {
  const name = useThingName(id);
  return (
    <Fact name="Achievement">
      <Link href={`/achievements/${id}`} className="text-accent hover:underline">
        <bdi>{name ?? id}</bdi>
      </Link>
    </Fact>
  );
}

/** The number of the template's credentials in each state, with links to them. */
function Issued({ templateId }: { templateId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.credentials.counts.queryOptions({ templateId }));
  const states = ["active", "pending", "suspended", "expired", "revoked"] as const;
  return (
    <Panel title="Issued credentials">
      <dl className="grid grid-cols-3 gap-x-4 gap-y-4 sm:grid-cols-5">
        {states.map((state) => (
          <div key={state} className="relative">
            <dt className="text-xs text-muted capitalize">{state}</dt>
            <dd className="mt-0.5 text-lg leading-6 font-semibold tabular-nums">
              <Link
                href={`/credentials?template=${templateId}&state=${state}`}
                className="rounded-sm outline-none after:absolute after:inset-0 hover:underline focus-visible:ring-2 focus-visible:ring-focus"
              >
                {data ? data.states[state].toLocaleString("en") : "–"}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function publicWords(design: RouterOutputs["templates"]["get"]["version"]["design"], locale: string): string {
  const fields = fieldsOf(design)
    .filter(({ key }) => design.publicFields?.includes(key))
    .map(({ label, key }) => inLocale(label ?? key, locale) || key);
  return [...(namesHolder(design) ? ["Holder’s name"] : []), "issuer", "state", "dates", ...fields].join(", ");
}
