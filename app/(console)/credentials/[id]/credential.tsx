"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { CalendarClock, CircleOff, PauseCircle, PlayCircle, RefreshCw } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { LastDay, Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { CredentialFacts } from "./credential-facts";
import { CredentialHistory } from "./credential-history";
import { ExpiryDialog } from "./expiry-dialog";
import { Presentation } from "./presentation";
import { ReissueDialog, ResumeDialog, RevokeDialog, SuspendDialog } from "./step-dialogs";

const trail = [{ label: "Credentials", href: "/credentials" }];

type CredentialDetail = RouterOutputs["credentials"]["get"];

export function Credential({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.credentials.get.queryOptions({ id }));
  const card = useQuery(trpc.credentials.card.queryOptions({ id }));
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonPage />;
  const credential = query.data;
  return (
    <>
      <PageHeader trail={trail} title={card.data?.title ?? credential.code} aside={<Status of={credential.state} />} description={card.data && <HolderLink credential={credential} name={card.data.isErased ? "an erased person" : card.data.holder} />} actions={<Steps credential={credential} holder={card.data?.holder || "the holder"} isErased={card.data?.isErased ?? false} />} />
      <StateNotice credential={credential} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Presentation credential={credential} card={card.data} />
        <div className="min-w-0 space-y-5">
          <CredentialFacts credential={credential} version={card.data?.version} />
          <CredentialHistory id={credential.id} />
        </div>
      </div>
    </>
  );
}

function HolderLink({ credential, name }: { credential: CredentialDetail; name: string }) {
  return (
    <>
      Held by <Link href={`/subjects/${credential.subjectId}`} className="font-medium text-foreground hover:underline">{name ? <bdi>{name}</bdi> : "an unnamed subject"}</Link>
    </>
  );
}

/** What can be done with it in its state, by what the reader may do. */
function Steps({ credential, holder, isErased }: { credential: CredentialDetail; holder: string; isErased: boolean }) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<"suspend" | "resume" | "revoke" | "reissue" | "expiry" | null>(null);
  const props = (name: NonNullable<typeof dialog>) => ({ isOpen: dialog === name, onOpenChange: (open: boolean) => setDialog(open ? name : null), credential, holder });
  const { state } = credential;
  const live = state === "active" || state === "pending" || state === "suspended";
  return (
    <>
      {state === "active" && can("credentials:suspend") && <Button variant="outline" onPress={() => setDialog("suspend")}><PauseCircle aria-hidden="true" /> Suspend</Button>}
      {state === "suspended" && can("credentials:suspend") && <Button onPress={() => setDialog("resume")}><PlayCircle aria-hidden="true" /> Resume</Button>}
      {state !== "revoked" && can("credentials:revoke") && <Button variant="danger-soft" onPress={() => setDialog("revoke")}><CircleOff aria-hidden="true" /> Revoke</Button>}
      {can("credentials:issue") && !isErased && (
        <RowMenu
          outlined
          label="More actions"
          actions={[
            live && { id: "expiry", label: "Change expiry", icon: CalendarClock, onAction: () => setDialog("expiry") },
            !credential.supersededBy && { id: "reissue", label: "Reissue", icon: RefreshCw, onAction: () => setDialog("reissue") },
          ]}
        />
      )}
      <SuspendDialog {...props("suspend")} />
      <ResumeDialog {...props("resume")} />
      <RevokeDialog {...props("revoke")} />
      <ReissueDialog {...props("reissue")} />
      <ExpiryDialog {...props("expiry")} />
    </>
  );
}

/** Why it is not valid, in the words that verifiers read. */
function StateNotice({ credential: c }: { credential: CredentialDetail }) {
  if (c.state === "revoked") {
    return (
      <Notice tone="danger" title={<>Revoked <Time at={c.revokedAt} /></>} className="mb-5" action={c.supersededBy && <Link href={`/credentials/${c.supersededBy}`} className="font-medium underline">Newer credential</Link>}>
        {c.revocationReason ? `Verifiers read: “${c.revocationReason}”` : "Verifiers are told that it is revoked, without a reason."}
      </Notice>
    );
  }
  if (c.state === "suspended") {
    return <Notice tone="warning" title={<>Suspended <Time at={c.suspendedAt} /></>} className="mb-5">{c.suspensionReason ? `Verifiers read: “${c.suspensionReason}”` : "Verifiers are told that it is suspended, without a reason."}</Notice>;
  }
  if (c.state === "pending") return <Notice className="mb-5">It becomes valid <Time at={c.validFrom} as="exact" />. Until then verifiers are told that it is not yet valid.</Notice>;
  if (c.state === "expired") return <Notice className="mb-5">It was valid through <LastDay end={c.expiresAt} precise />. Reissue it to give its holder a new one.</Notice>;
  return null;
}
