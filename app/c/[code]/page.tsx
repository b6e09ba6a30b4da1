import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { CredentialCard } from "@/components/credential-card";
import { AchievementText } from "@/components/public/achievement-text";
import { Checks } from "@/components/public/checks";
import { CredentialFacts } from "@/components/public/credential-facts";
import { Decision } from "@/components/public/decision";
import { AddToWallet } from "@/components/public/add-to-wallet";
import { Downloads } from "@/components/public/downloads";
import { PublicFrame } from "@/components/public/frame";
import { Holder, isWithoutDetails, photoPath, unnamed } from "@/components/public/holder";
import { QrCode } from "@/components/public/qr-code";
import { QrFullScreen } from "@/components/public/qr-full-screen";
import { addToProfileUrl } from "@/components/public/linkedin";
import { AddToProfile, ShareActions, ShareLinks } from "@/components/public/share-actions";
import { findPublicFiles } from "@/server/badges/public-facts";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { previewSize } from "@/components/public/preview-size";
import { loadPublicPage } from "@/server/verification/public-page";
import { findWalletOffers } from "@/server/wallets/public-offers";
import { visitorsLook } from "../visitor";

interface Props {
  params: Promise<{ code: string }>;
}

/** Once a request, for the page and its metadata alike; null for a code that does not exist. */
const load = cache(async (code: string) => {
  try {
    return await loadPublicPage(code, await visitorsLook());
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await load((await params).code);
  const robots = { index: false, follow: false };
  if (!page) return { title: "Unknown code", robots };
  const { title, issuer, subject } = page.verification.credential;
  // Others keep the words of a preview for long, so they do not say whether it is valid. The picture is asked for anew.
  const description = `Issued by ${issuer.name}. Open to see whether it is valid at this moment.`;
  const heading = subject.displayName ? `${title} of ${subject.displayName}` : title;
  const { code } = page.verification.credential;
  const images = [{ url: `/public/credentials/${code}/preview.png`, ...previewSize, alt: heading }];
  return {
    metadataBase: new URL(env().PUBLIC_URL),
    title: heading,
    description,
    robots,
    alternates: { canonical: page.url },
    openGraph: {
      title: heading,
      description,
      url: page.url,
      siteName: issuer.name,
      type: "website",
      locale: "en",
      images,
    },
    twitter: { card: "summary_large_image", title: heading, description, images },
  };
}

/** A credential as its holder wants to show it. */
export default async function CredentialPage({ params }: Props) {
  const page = await load((await params).code);
  if (!page) notFound();
  const { verification, design, achievement, url, scanUrl } = page;
  const { credential, state, reason, checks } = verification;
  const { kind, title, issuer, subject, fields, code, validFrom, expiresAt } = credential;
  const passedOn = { code, url, title: `${title}, ${issuer.name}` };
  const hasFiles = kind === "academic" && (await findPublicFiles(credential.code)) !== null;
  const isOffered = design.wallet?.apple && verification.result === "valid";
  const offers = isOffered ? await findWalletOffers(code, new Date()) : { apple: false };
  return (
    <PublicFrame checkAnother>
      <Decision verification={verification} recheck="Scan the QR code" />
      {/* Whoever checks compares these, so they stand on the first screen of a phone. */}
      <div className="mt-5">
        <Holder subject={subject} hasEnded={isWithoutDetails(verification)} />
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 sm:mt-8 md:grid-cols-[minmax(0,1fr)_17rem] md:gap-8 print:grid-cols-[minmax(0,1fr)_14rem]">
        <div className="min-w-0 space-y-6 sm:space-y-8">
          <CredentialCard
            kind={kind}
            title={title}
            issuer={issuer.name}
            holder={subject.displayName}
            unnamed={unnamed(subject)}
            design={design}
            fields={fields}
            photo={photoPath(subject)}
            region={issuer}
            state={state}
            stamp={reason === "superseded" ? "Replaced" : undefined}
          />
          <CredentialFacts verification={verification} />
          {achievement && <AchievementText achievement={achievement} />}
          <div className="no-print">
            <Checks checks={checks} />
          </div>
        </div>
        <aside className="order-first rounded-2xl md:order-none print:order-none border bg-surface p-5 text-center shadow-surface print:shadow-none">
          <QrFullScreen code={credential.code}>
            <QrCode
              text={scanUrl}
              label={`QR code that leads to ${url}`}
              className="mx-auto w-full max-w-44 rounded-lg md:max-w-56"
            />
          </QrFullScreen>
          <p className="mt-3 text-[0.8125rem] text-pretty text-muted">Scan to check this credential yourself.</p>
          <p className="mt-1 text-xs wrap-anywhere text-muted select-all">{url}</p>
          {offers.apple && <AddToWallet code={code} />}
          <div className="no-print mt-4 flex justify-center">
            <ShareActions {...passedOn} />
          </div>
          <div className="no-print">
            <ShareLinks {...passedOn} />
            {kind === "academic" && verification.result === "valid" && (
              <AddToProfile code={code} href={addToProfileUrl({ title, issuer, validFrom, expiresAt, code, url })} />
            )}
          </div>
          {hasFiles && <Downloads code={code} />}
        </aside>
      </div>
    </PublicFrame>
  );
}
