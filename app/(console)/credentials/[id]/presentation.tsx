import { Skeleton } from "@heroui/react";
import { ExternalLink } from "lucide-react";
import { CredentialCard } from "@/components/credential-card";
import { QrCode } from "@/components/public/qr-code";
import { CopyTextButton } from "@/components/ui/copy";
import { Panel } from "@/components/ui/panel";
import { ButtonLink } from "@/components/ui/button-link";
import { useRegion } from "@/components/ui/region";
import type { CredentialView } from "@/server/credentials/view";
import type { RouterOutputs } from "@/server/trpc/root";

/** How the credential looks, and how others reach it. */
export function Presentation({ credential, card }: { credential: CredentialView; card: RouterOutputs["credentials"]["card"] | undefined }) {
  const region = useRegion();
  return (
    <div className="space-y-5">
      {card ? (
        <CredentialCard kind={card.kind} title={card.title} issuer={card.issuer} holder={card.isErased ? "Name erased" : card.holder} design={card.design} fields={card.fields} region={region} state={credential.state} />
      ) : (
        <Skeleton className="aspect-[1.586] w-full rounded-2xl" />
      )}
      <Panel title="Verification" description="Anyone with the link or the code can verify it, without an account.">
        <div className="flex flex-wrap items-center gap-5">
          <QrCode text={credential.verifyUrl} label="QR code of the public page" className="size-32 rounded-lg border" />
          <div className="min-w-0 flex-1 basis-48 space-y-3">
            <div>
              <p className="text-xs text-muted">Code</p>
              <p className="font-mono text-sm font-medium tracking-wide whitespace-nowrap">{credential.code}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              <CopyTextButton text={credential.verifyUrl} label="Copy link" />
              <ButtonLink href={credential.verifyUrl} target="_blank" rel="noopener" variant="outline">
                <ExternalLink aria-hidden="true" /> Open page
              </ButtonLink>
            </div>
          </div>
        </div>
      </Panel>
    </div>
  );
}
