"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Reloadable } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { ConnectorForm } from "../../_form/connector-form";
import { DirectoryForm } from "../../_form/directory-form";

/** Edits a connector. Changes apply to the next files. */
export function EditConnector({ id }: { id: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const query = useQuery(trpc.connectors.get.queryOptions({ id }));
  const connector = query.data;
  if (!connector)
    return query.error ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonPage />;
  return (
    <>
      <PageHeader
        trail={[
          { label: "Connectors", href: "/connectors" },
          { label: connector.name, href: `/connectors/${id}` },
        ]}
        title="Edit connector"
        description={
          connector.type === "scim"
            ? "It holds for the directory's next request."
            : "It holds for the next file. A file that is being applied keeps what it began with."
        }
      />
      <Reloadable>
        {(reload) => {
          const Form = connector.type === "scim" ? DirectoryForm : ConnectorForm;
          return <Form connector={connector} onReload={reload} onDone={() => router.push(`/connectors/${id}`)} />;
        }}
      </Reloadable>
    </>
  );
}
