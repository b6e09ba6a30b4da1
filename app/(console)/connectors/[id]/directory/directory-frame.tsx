"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { DirectoryTabs } from "./directory-tabs";

/** The frame of a SCIM connection's pages: its name and tabs. */
export function DirectoryFrame({ id, children }: { id: string; children: ReactNode }) {
  const query = useQuery(useTRPC().connectors.get.queryOptions({ id }));
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonPage />;
  const { name, status } = query.data;
  return (
    <>
      <PageHeader
        trail={[{ label: "Connectors", href: "/connectors" }]}
        title={<bdi>{name}</bdi>}
        aside={status !== "active" && <Status of={status} />}
      />
      <DirectoryTabs id={id} />
      {children}
    </>
  );
}
