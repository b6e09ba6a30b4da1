import { Skeleton } from "@heroui/react";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { hasBack } from "@/components/card/card-field";
import { CredentialCard } from "@/components/credential-card";
import { QrCode } from "@/components/public/qr-code";
import { CopyTextButton } from "@/components/ui/copy";
import { Panel } from "@/components/ui/panel";
import { ButtonLink } from "@/components/ui/button-link";
import { useRegion } from "@/components/ui/region";
import { Link } from "@/components/ui/link";
import type { CredentialView } from "@/server/credentials/view";
import { namesHolder } from "@/server/templates/design";
import type { RouterOutputs } from "@/server/trpc/root";
import { SideSwitch, type Side } from "../../templates/editor/side-switch";
import { usePhoto } from "../../subjects/use-photo";

/** Why a card with a place for the photo shows none. */
const noPhoto = {
  none: "There is no photo of the holder yet.",
  awaits_approval: "The photo of the holder waits for approval.",
  rejected: "The photo of the holder was rejected.",
};

/** Shown for a credential whose public page no longer reads its holder's record (decision 282). */
const hasEnded = ({ kind, state }: CredentialView) =>
  kind !== "academic" && (state === "expired" || state === "revoked");

/** The credential's card, and the ways in which others reach it. */
export function Presentation({
  credential,
  card,
}: {
  credential: CredentialView;
  card: RouterOutputs["credentials"]["card"] | undefined;
}) {
  const region = useRegion();
  const [side, setSide] = useState<Side>("front");
  const isTwoSided = card !== undefined && hasBack(card.design, card.fields, region);
  const isNamed = card === undefined || namesHolder(card.design);
  const photo = usePhoto(
    card?.photo === "shown" ? { id: credential.subjectId, photoUpdatedAt: card.photoUpdatedAt } : undefined,
  );
  return (
    <div className="space-y-5">
      {card ? (
        <div>
          {isTwoSided && (
            <div className="mb-3 flex justify-end">
              <SideSwitch label="Side of the card" value={side} onChange={setSide} />
            </div>
          )}
          <CredentialCard
            kind={card.kind}
            title={card.title}
            issuer={card.issuer}
            holder={card.isErased ? "" : card.holder}
            unnamed={card.isErased ? "Name erased" : "No name recorded"}
            design={card.design}
            side={isTwoSided ? side : "front"}
            fields={card.fields}
            photo={photo}
            region={region}
            state={credential.state}
          />
        </div>
      ) : (
        <Skeleton className="aspect-[1.586] w-full rounded-2xl" />
      )}
      {card && hasEnded(credential) && !card.isErased && (
        <p className="-mt-2 text-center text-xs text-pretty text-muted">
          This is how the holder is recorded today. The public page shows no photo and no details of the holder since
          the credential ended, and {isNamed ? "the name only if it has not changed since" : "no name"}.
        </p>
      )}
      {card && !isNamed && !hasEnded(credential) && !card.isErased && (
        <p className="-mt-2 text-center text-xs text-pretty text-muted">
          Whoever checks it does not see the name: the template keeps it from the public.
        </p>
      )}
      {card?.photo && card.photo !== "shown" && !card.isErased && (
        <p className="-mt-2 text-center text-xs text-pretty text-muted">
          {noPhoto[card.photo]}{" "}
          <Link href={`/subjects/${credential.subjectId}`} className="font-medium underline">
            See the person
          </Link>
        </p>
      )}
      <Panel title="Verification" description="Anyone with the link or the code can verify it, without an account.">
        <div className="flex flex-wrap items-center gap-5">
          <QrCode
            text={credential.verifyUrl}
            label="QR code of the public page"
            className="size-32 rounded-lg border"
          />
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
