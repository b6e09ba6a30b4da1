"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, QrCode } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { useSession } from "../_shell/session";
import { claimLinkColumns } from "./claim-link-columns";
import { ClaimLinkDialog } from "./claim-link-dialog";
import { NoMail } from "./no-mail";

export function ClaimLinkList() {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const at = usePage();
  const [creating, setCreating] = useState(false);
  const query = useQuery(trpc.claims.links.list.queryOptions({ ...at.range }, { placeholderData: keepPreviousData }));
  const create = can("credentials:issue") && can("subjects:write") && (
    <Button onPress={() => setCreating(true)}>
      <Plus aria-hidden="true" /> Create claim link
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Claim links"
        description="Hand out credentials without a list: people open a link or scan its code, prove their e-mail address, and get theirs."
        actions={create}
      />
      <NoMail />
      <ListFrame
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["link", "links"]} />
        }
      >
        <DataTable
          label="Claim links"
          columns={claimLinkColumns}
          query={query}
          rowKey={(link) => link.id}
          href={(link) => `/claims/${link.id}`}
          empty={
            <Empty icon={QrCode} title="No claim links yet" action={create}>
              A claim link is for an open day, a course or a conference: show its code, and everybody who scans it gets
              a credential.
            </Empty>
          }
        />
      </ListFrame>
      <ClaimLinkDialog isOpen={creating} onOpenChange={setCreating} onDone={({ id }) => router.push(`/claims/${id}`)} />
    </>
  );
}
