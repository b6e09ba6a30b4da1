import { CredentialCard } from "@/components/credential-card";
import { hasBack } from "@/components/card/card-field";
import { AddToWallet } from "@/components/public/add-to-wallet";
import { AchievementText } from "@/components/public/achievement-text";
import { Checks } from "@/components/public/checks";
import { CredentialFacts } from "@/components/public/credential-facts";
import { Decision } from "@/components/public/decision";
import { Downloads } from "@/components/public/downloads";
import { PublicFrame } from "@/components/public/frame";
import { Holder, isWithoutDetails, photoPath, unnamed } from "@/components/public/holder";
import { Island } from "@/components/public/island";
import { KeptNotice } from "@/components/public/kept-notice";
import { addToProfileUrl } from "@/components/public/linkedin";
import { QrCode } from "@/components/public/qr-code";
import { QrFullScreen } from "@/components/public/qr-full-screen";
import { Share } from "@/components/public/share-actions";
import type { PublicPage } from "@/server/verification/public-page";
import type { WalletOffers } from "@/server/wallets/public-offers";
import { TitleAndIssuer } from "@/components/public/title-and-issuer";
import { CredentialHead, headingOf } from "./credential-head";
import { Document, type Assets } from "./document";
import { say } from "@/components/public/words";

interface Props {
  page: PublicPage;
  /** Whether the signed files of the credential are public. */
  hasFiles: boolean;
  /** The wallets for which the template and the organisation offer a pass. */
  wallets: WalletOffers;
  origin: string;
  assets: Assets;
}

/** The page of a credential, as its holder shows it. */
export function CredentialPage({ page, hasFiles, wallets, origin, assets }: Props) {
  const { verification, design, achievement, url, scanText } = page;
  const { credential, state, reason, checks } = verification;
  const { kind, title, issuer, subject, fields, code, validFrom, expiresAt } = credential;
  // A credential that its issuer ended is not offered for sharing. Its link can still be copied.
  const isWithdrawn = reason === "revoked" || reason === "suspended" || reason === "superseded";
  const isOnProfile = kind === "academic" && verification.result === "valid";
  const mayBeListed = design.searchable === true && verification.result === "valid" && !subject.erased;
  const share = {
    code,
    url,
    title: `${title}, ${issuer.name}`,
    invites: !isWithdrawn,
    profileUrl: isOnProfile
      ? addToProfileUrl({ title, issuer, validFrom, fields: verification.credential.fields, expiresAt, code, url })
      : null,
  };
  const decision = {
    verification: {
      result: verification.result,
      reason,
      reasonText: verification.reasonText,
      checkedAt: verification.checkedAt,
      checks: [],
      credential: {
        kind,
        issuer: {
          timeZone: issuer.timeZone,
          locale: issuer.locale,
          nameVerified: issuer.nameVerified,
          domainVerified: issuer.domainVerified,
        },
        supersededBy: credential.supersededBy,
      },
    },
    recheck: say("Scan the QR code"),
  };
  const card = {
    kind,
    title,
    issuer: issuer.name,
    holder: subject.displayName,
    unnamed: unnamed(subject),
    design,
    fields,
    photo: photoPath(subject),
    region: issuer,
    state,
    stamp: reason === "superseded" ? say("Replaced") : undefined,
  };
  return (
    <Document
      assets={assets}
      title={headingOf(page)}
      robots={mayBeListed ? "index, follow" : "noindex, nofollow"}
      head={<CredentialHead page={page} origin={origin} />}
    >
      <PublicFrame checkAnother hasHome>
        <KeptNotice at={verification.checkedAt} region={issuer} />
        <Island name="decision" properties={decision}>
          <Decision {...decision} />
        </Island>
        {/* A person who checks compares these, so they are on the first screen of a phone. */}
        <div className="mt-5">
          <Holder subject={subject} hasEnded={isWithoutDetails(verification)} />
          {/* The card and the facts stand far below on a phone. */}
          <TitleAndIssuer credential={verification.credential} />
        </div>
        <div className="mt-6 grid grid-cols-1 items-start gap-6 sm:mt-8 md:grid-cols-[minmax(0,1fr)_17rem] md:gap-8 print:min-[30rem]:grid-cols-[minmax(0,1fr)_14rem]">
          {/* In the order of a phone: what is painted before the rest has arrived must not move when it has. */}
          <aside className="rounded-2xl border md:col-start-2 md:row-start-1 print:min-[30rem]:col-start-2 print:min-[30rem]:row-start-1 bg-surface p-5 text-center shadow-surface print:shadow-none">
            <QrFullScreen code={code}>
              <QrCode
                text={scanText}
                label={say("QR code that leads to {url}", { url })}
                className="mx-auto w-full max-w-44 rounded-lg md:max-w-56"
              />
            </QrFullScreen>
            <p className="mt-3 text-[0.8125rem] text-pretty text-muted">
              {say("Scan to check this credential yourself.")}
            </p>
            <p className="mt-1 text-xs wrap-anywhere text-muted select-all">{url}</p>
            <AddToWallet code={code} wallets={wallets} />
            <div className="no-print">
              <Island name="share" properties={share}>
                <Share {...share} />
              </Island>
              <Island name="keep" properties={{ invites: !isWithdrawn }} />
            </div>
            {hasFiles && <Downloads code={code} />}
          </aside>
          <div className="min-w-0 space-y-6 sm:space-y-8 md:col-start-1 md:row-start-1 print:min-[30rem]:col-start-1 print:min-[30rem]:row-start-1">
            <CredentialCard {...card} />
            {hasBack(design, fields, issuer) && <CredentialCard {...card} side="back" />}
            <CredentialFacts verification={verification} copyCode={<Island name="copy-code" properties={{ code }} />} />
            {achievement && <AchievementText achievement={achievement} />}
            <div className="no-print">
              <Checks checks={checks} />
            </div>
          </div>
        </div>
      </PublicFrame>
    </Document>
  );
}
