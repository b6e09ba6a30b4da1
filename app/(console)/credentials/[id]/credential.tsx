"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { CalendarClock, CircleOff, Mail, PauseCircle, PlayCircle, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { LastDay, Time } from "@/components/ui/time";
import type { CredentialView } from "@/server/credentials/view";
import type { RouterOutputs } from "@/server/trpc/root";
import { MetadataPanel } from "../../_data/metadata-panel";
import { usePeople } from "../../_data/names";
import { useSession } from "../../_shell/session";
import { AwardPanel } from "./award-panel";
import { Channels } from "./channels";
import { CredentialFacts } from "./credential-facts";
import { DownloadMenu } from "./download-menu";
import { CredentialHistory } from "./credential-history";
import { ExpiryDialog } from "./expiry-dialog";
import { Presentation } from "./presentation";
import { SendDialog } from "./send-dialog";
import { useSuccessors } from "./successors";
import { ReissueDialog, ResumeDialog, RevokeDialog, SuspendDialog } from "./step-dialogs";

const trail = [{ label: "Credentials", href: "/credentials" }];

type CredentialRecord = RouterOutputs["credentials"]["get"];

export function Credential({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.credentials.get.queryOptions({ id }));
  const card = useQuery(trpc.credentials.card.queryOptions({ id }));
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonPage />;
  return <CredentialDetail credential={query.data} card={card.data} />;
}

function CredentialDetail({
  credential,
  card,
}: {
  credential: CredentialRecord;
  card: RouterOutputs["credentials"]["card"] | undefined;
}) {
  const person = usePeople([credential.subjectId])(credential.subjectId);
  const holder = person?.name ?? "…";
  const { can } = useSession();
  const successors = useSuccessors(credential);
  return (
    <>
      <PageHeader
        trail={trail}
        title={card?.title ?? credential.code}
        aside={<Status of={credential.state} />}
        description={<HolderLink credential={credential} name={card?.isErased ? "an erased person" : holder} />}
        actions={<Steps credential={credential} holder={holder} isErased={card?.isErased ?? false} />}
      />
      <StateNotice credential={credential} newest={successors?.at(-1)} />
      {credential.warnings.map(({ code, message }) => (
        <Notice key={code} tone="warning" title="It names nobody" className="mb-5">
          {message}
        </Notice>
      ))}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Presentation credential={credential} card={card} />
        <div className="min-w-0 space-y-5">
          {card?.award && <AwardPanel card={{ ...card, award: card.award }} templateId={credential.templateId} />}
          <CredentialFacts credential={credential} version={card?.version} successors={successors} />
          <MetadataPanel
            record={credential}
            useUpdate={useUpdate}
            canEdit={can("credentials:issue") && card?.isErased === false}
          />
          <Channels credential={credential} />
          <CredentialHistory id={credential.id} />
        </div>
      </div>
    </>
  );
}

function useUpdate(onDone: () => void) {
  return useAction(useTRPC().credentials.update.mutationOptions(), { done: "Saved", onDone });
}

function HolderLink({ credential, name }: { credential: CredentialRecord; name: string }) {
  return (
    <>
      Held by{" "}
      <Link href={`/subjects/${credential.subjectId}`} className="font-medium text-foreground hover:underline">
        <bdi>{name}</bdi>
      </Link>
    </>
  );
}

/** The actions that the credential's state and the reader's scopes allow. */
function Steps({ credential, holder, isErased }: { credential: CredentialRecord; holder: string; isErased: boolean }) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<"suspend" | "resume" | "revoke" | "reissue" | "expiry" | "send" | null>(null);
  const props = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
    credential,
    holder,
  });
  const { state } = credential;
  const live = state === "active" || state === "pending" || state === "suspended";
  return (
    <>
      {credential.kind === "academic" && !isErased && <DownloadMenu id={credential.id} code={credential.code} />}
      {state === "active" && can("credentials:suspend") && (
        <Button variant="outline" onPress={() => setDialog("suspend")}>
          <PauseCircle aria-hidden="true" /> Suspend
        </Button>
      )}
      {state === "suspended" && can("credentials:suspend") && (
        <Button onPress={() => setDialog("resume")}>
          <PlayCircle aria-hidden="true" /> Resume
        </Button>
      )}
      {state !== "revoked" && can("credentials:revoke") && (
        <Button variant="danger-soft" onPress={() => setDialog("revoke")}>
          <CircleOff aria-hidden="true" /> Revoke
        </Button>
      )}
      {can("credentials:issue") && !isErased && (
        <RowMenu
          outlined
          label="More actions"
          actions={[
            (state === "active" || state === "pending") && {
              id: "send",
              label: "Send by e-mail",
              icon: Mail,
              onAction: () => setDialog("send"),
            },
            live && { id: "expiry", label: "Change expiry", icon: CalendarClock, onAction: () => setDialog("expiry") },
            !credential.supersededBy && {
              id: "reissue",
              label: "Reissue",
              icon: RefreshCw,
              onAction: () => setDialog("reissue"),
            },
          ]}
        />
      )}
      <SuspendDialog {...props("suspend")} />
      <ResumeDialog {...props("resume")} />
      <RevokeDialog {...props("revoke")} />
      <ReissueDialog {...props("reissue")} />
      <ExpiryDialog {...props("expiry")} />
      <SendDialog {...props("send")} />
    </>
  );
}

/** Why it is not valid, in the words that verifiers see. */
function StateNotice({ credential: c, newest }: { credential: CredentialRecord; newest: CredentialView | undefined }) {
  if (c.state === "revoked") {
    return (
      <Notice
        tone="danger"
        title={
          <>
            Revoked <Time at={c.revokedAt} />
          </>
        }
        className="mb-5"
        action={
          newest && (
            <Link href={`/credentials/${newest.id}`} className="font-medium underline">
              Newest credential
            </Link>
          )
        }
      >
        {c.revocationReason
          ? `Verifiers read: “${c.revocationReason}”`
          : "Verifiers are told that it is revoked, without a reason."}
      </Notice>
    );
  }
  if (c.state === "suspended") {
    return (
      <Notice
        tone="warning"
        title={
          <>
            Suspended <Time at={c.suspendedAt} />
          </>
        }
        className="mb-5"
      >
        {c.suspensionReason
          ? `Verifiers read: “${c.suspensionReason}”`
          : "Verifiers are told that it is suspended, without a reason."}
      </Notice>
    );
  }
  if (c.state === "pending")
    return (
      <Notice className="mb-5">
        It becomes valid <Time at={c.validFrom} as="exact" />. Until then verifiers are told that it is not yet valid.
      </Notice>
    );
  if (c.state === "expired")
    return (
      <Notice className="mb-5">
        It was valid through <LastDay end={c.expiresAt} exact />. Reissue it to give its holder a new one.
      </Notice>
    );
  return null;
}
