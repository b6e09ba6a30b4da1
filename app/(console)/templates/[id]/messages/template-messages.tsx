"use client";
import { useQuery } from "@tanstack/react-query";
import { Reloadable } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { MessagesForm } from "./messages-form";

/** The page for a template's e-mails to holders: kinds, sender and texts. */
export function TemplateMessages({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.templates.get.queryOptions({ id }));
  const organisation = useQuery(trpc.messages.defaults.queryOptions({}));
  const error = query.error ?? organisation.error;
  if (error)
    return <Failure error={error} onRetry={() => void Promise.all([query.refetch(), organisation.refetch()])} />;
  if (!query.data || !organisation.data) return <SkeletonPage />;
  return (
    <>
      <PageHeader
        trail={[
          { label: "Templates", href: "/templates" },
          { label: query.data.name, href: `/templates/${id}` },
        ]}
        title="E-mails to holders"
        description="They go to the address of the person. Somebody without an address, or who is inactive, gets none."
      />
      <Reloadable>
        {(reload) => <MessagesForm template={query.data} defaults={organisation.data} onReload={reload} />}
      </Reloadable>
    </>
  );
}
