import type { ComponentProps } from "react";
import { ClaimPage, UnknownClaimPage } from "@/components/public/pages/claim-page";
import { CredentialPage } from "@/components/public/pages/credential-page";
import type { Assets } from "@/components/public/pages/document";
import { NotCheckedPage, NotDonePage, UnknownPage } from "@/components/public/pages/failure-pages";
import { ConfirmPage, UnknownConfirmPage } from "@/components/public/pages/confirm-page";
import { HomeDoorPage, HomeEntryPage, HomePage } from "@/components/public/pages/home-page";
import { VerifyPage } from "@/components/public/pages/verify-page";
import { speak } from "@/components/public/words";
import { themeScript } from "@/components/theme/theme-script";
import { germanWords } from "./german/german";
import { toHtml } from "./jsx-runtime";

// The public pages as functions that return strings, for app/c and app/verify. scripts/build/build-public.mjs bundles
// this file with jsx-runtime.ts instead of React.

/** Paths of the files that the pages load, inserted by the build. */
declare const ASSETS: { style: string; credential: string; verify: string; device: string; verifyFiles: string[] };

const assetsOf = (script: string): Assets => ({ style: ASSETS.style, script });
const credentialAssets: Assets = { ...assetsOf(ASSETS.credential), live: "credential" };
const verifyAssets: Assets = {
  ...assetsOf(ASSETS.verify),
  live: "verify",
  device: ASSETS.device,
  files: ASSETS.verifyFiles,
};
const page = (node: unknown) => `<!doctype html>${toHtml(node)}`;

const credentialPage = (props: Omit<ComponentProps<typeof CredentialPage>, "assets">): string =>
  page(<CredentialPage {...props} assets={credentialAssets} />);

const verifyPage = (props: Omit<ComponentProps<typeof VerifyPage>, "assets">): string =>
  page(<VerifyPage {...props} assets={verifyAssets} />);

const unknownPage = (): string => page(<UnknownPage assets={credentialAssets} />);

const notCheckedPage = (request: { address: string; reference: string }): string =>
  page(<NotCheckedPage assets={credentialAssets} {...request} />);

/** Pages of forms: they work without scripts. */
const formAssets: Assets = { style: ASSETS.style, script: null };

const notDonePage = (props: Omit<ComponentProps<typeof NotDonePage>, "assets">): string =>
  page(<NotDonePage assets={formAssets} {...props} />);

const claimPage = (props: Omit<ComponentProps<typeof ClaimPage>, "assets">): string =>
  page(<ClaimPage {...props} assets={formAssets} />);

const unknownClaimPage = (): string => page(<UnknownClaimPage assets={formAssets} />);

const homeDoorPage = (props: Omit<ComponentProps<typeof HomeDoorPage>, "assets">): string =>
  page(<HomeDoorPage {...props} assets={formAssets} />);

const confirmPage = (props: Omit<ComponentProps<typeof ConfirmPage>, "assets">): string =>
  page(<ConfirmPage {...props} assets={formAssets} />);
const unknownConfirmPage = (): string => page(<UnknownConfirmPage assets={formAssets} />);
const homeEntryPage = (props: Omit<ComponentProps<typeof HomeEntryPage>, "assets">): string =>
  page(<HomeEntryPage {...props} assets={formAssets} />);

const homePage = (props: Omit<ComponentProps<typeof HomePage>, "assets">): string =>
  page(<HomePage {...props} assets={formAssets} />);

const all = {
  credentialPage,
  verifyPage,
  unknownPage,
  notCheckedPage,
  notDonePage,
  claimPage,
  unknownClaimPage,
  homeDoorPage,
  confirmPage,
  unknownConfirmPage,
  homeEntryPage,
  homePage,
};

/** The pages. Each sets the language and is then written without interruption. */
function spokenIn(spoken: typeof germanWords | undefined): typeof all {
  const pages = Object.entries(all).map(([name, write]) => [
    name,
    (props: never) => {
      speak(spoken);
      return (write as (props: never) => string)(props);
    },
  ]);
  return Object.fromEntries(pages) as typeof all;
}

export const english = spokenIn(undefined);
export const german = spokenIn(germanWords);

/** The only inline script of a page, for the content security policy. */
export const inlineScript = themeScript;
