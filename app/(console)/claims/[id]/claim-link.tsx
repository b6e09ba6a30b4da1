"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { QrCode } from "@/components/public/qr-code";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Copyable, CopyTextButton } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { LastDay, Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { TemplateName } from "../../templates/template-name";
import { ClaimLinkDialog } from "../claim-link-dialog";
import { LinkWarnings } from "../link-warnings";
import { NoMail } from "../no-mail";
import { placesOf } from "../words";
import { ClaimQueue } from "./claim-queue";
import { DeleteDialog } from "./delete-dialog";

const trail = [{ label: "Claim links", href: "/claims" }];

export function ClaimLink({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.claims.links.get.queryOptions({ id }));
  if (query.data) return <Details link={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function Details({ link }: { link: RouterOutputs["claims"]["links"]["get"] }) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const opener = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  });
  const write = can("credentials:issue") && can("subjects:write");
  return (
    <>
      <PageHeader
        trail={trail}
        title={<bdi>{link.name}</bdi>}
        actions={
          write && (
            <>
              <Button variant="outline" onPress={() => setDialog("edit")}>
                <Pencil aria-hidden="true" /> Edit
              </Button>
              <RowMenu
                outlined
                label="More actions"
                actions={[
                  { id: "delete", label: "Delete", icon: Trash2, danger: true, onAction: () => setDialog("delete") },
                ]}
              />
            </>
          )
        }
      />
      <NoMail />
      {write && (
        <div className="mb-5 space-y-3 empty:hidden">
          <LinkWarnings templateId={link.templateId} needsApproval={link.approval} fields={link.fields} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <ClaimQueue link={link} write={write} />
        <div className="space-y-5 max-lg:order-first">
          <Panel title="Link and code" description="Show the code on a screen or a poster, or send the link.">
            <QrCode
              text={link.url}
              label={`QR code that leads to ${link.url}`}
              className="mx-auto w-full max-w-56 rounded-lg border"
            />
            <p className="mt-3 text-center font-mono text-xs break-all text-muted select-all">{link.url}</p>
            <div className="mt-4 flex flex-wrap justify-center gap-2">
              <CopyTextButton text={link.url} label="Copy link" />
              <ButtonLink href={link.url} target="_blank" variant="outline">
                <ExternalLink aria-hidden="true" /> Open
              </ButtonLink>
            </div>
          </Panel>
          <Panel title="Details">
            <Facts>
              <Fact name="State">
                <Status of={link.state} />
              </Fact>
              <Fact name="Places taken">{placesOf(link)}</Fact>
              <Fact name="Template">
                <Link href={`/templates/${link.templateId}`} className="font-medium hover:underline">
                  <TemplateName id={link.templateId} />
                </Link>
              </Fact>
              <Fact name="Handed out">{link.approval ? "After approval" : "At once"}</Fact>
              <Fact name="Last day">
                <LastDay end={link.expiresAt} absent="No end" />
              </Fact>
              <Fact name="Id in the API">
                <Copyable text={link.id} what="id in the API" />
              </Fact>
              <Fact name="Created">
                <Time at={link.createdAt} as="exact" />
              </Fact>
            </Facts>
          </Panel>
        </div>
      </div>
      <ClaimLinkDialog {...opener("edit")} link={link} />
      <DeleteDialog {...opener("delete")} link={link} />
    </>
  );
}
