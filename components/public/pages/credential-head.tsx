import { previewSize } from "@/components/public/preview-size";
import type { PublicPage } from "@/server/verification/public-page";
import { language, say } from "@/components/public/words";

/** The title of a credential's page in tabs, bookmarks and previews. */
export function headingOf({ verification }: PublicPage): string {
  const { title, subject } = verification.credential;
  return subject.displayName ? say("{title} of {name}", { title, name: subject.displayName }) : title;
}

/** What other services read to preview a link (Open Graph). */
export function CredentialHead({ page, origin }: { page: PublicPage; origin: string }) {
  const { issuer, code } = page.verification.credential;
  const heading = headingOf(page);
  // Other services keep preview texts for long, so these do not say whether the credential is valid. The picture is
  // requested anew.
  const description = say(
    issuer.nameVerified
      ? "Issued by {issuer}. Open to see whether it is valid at this moment."
      : "Issued by an organisation that calls itself {issuer}; nobody has confirmed that name. Open to see whether it is valid at this moment.",
    { issuer: issuer.name },
  );
  const image = `${origin}/public/credentials/${code}/preview.png`;
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={page.url} />
      <link rel="manifest" href={`/c/${code}/app.webmanifest`} />
      <meta property="og:title" content={heading} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={page.url} />
      {issuer.nameVerified && <meta property="og:site_name" content={issuer.name} />}
      <meta property="og:locale" content={language()} />
      <meta property="og:type" content="website" />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content={String(previewSize.width)} />
      <meta property="og:image:height" content={String(previewSize.height)} />
      <meta property="og:image:alt" content={heading} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={heading} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={image} />
    </>
  );
}
