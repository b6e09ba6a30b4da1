import type { ComponentProps } from "react";
import { ClaimPage, UnknownClaimPage } from "@/components/public/pages/claim-page";
import { CredentialPage } from "@/components/public/pages/credential-page";
import type { Assets } from "@/components/public/pages/document";
import { NotCheckedPage, NotDonePage, UnknownPage } from "@/components/public/pages/failure-pages";
import { ConfirmPage, UnknownConfirmPage } from "@/components/public/pages/confirm-page";
import { HomeDoorPage, HomeEntryPage, HomePage } from "@/components/public/pages/home-page";
import { VerifyPage } from "@/components/public/pages/verify-page";
import { themeScript } from "@/components/theme/theme-script";
import { toHtml } from "./jsx-runtime";

// The public pages as strings, for app/c and app/verify. scripts/build/build-public.mjs bundles this file with
// jsx-runtime.ts in the place of React.

/** Paths of the files that the pages load, put in by the build. */
declare const ASSETS: { style: string; credential: string; verify: string; device: string; verifyFiles: string[] };

const assetsOf = (script: string): Assets => ({ style: ASSETS.style, script });
const credentialAssets = assetsOf(ASSETS.credential);
const verifyAssets: Assets = { ...assetsOf(ASSETS.verify), device: ASSETS.device, files: ASSETS.verifyFiles };
const page = (node: unknown) => `<!doctype html>${toHtml(node)}`;

export const credentialPage = (props: Omit<ComponentProps<typeof CredentialPage>, "assets">): string =>
  page(<CredentialPage {...props} assets={credentialAssets} />);

export const verifyPage = (props: Omit<ComponentProps<typeof VerifyPage>, "assets">): string =>
  page(<VerifyPage {...props} assets={verifyAssets} />);

export const unknownPage = (): string => page(<UnknownPage assets={credentialAssets} />);

export const notCheckedPage = (request: { address: string; reference: string }): string =>
  page(<NotCheckedPage assets={credentialAssets} {...request} />);

/** Pages of forms: they work without scripts. */
const formAssets: Assets = { style: ASSETS.style, script: null };

export const notDonePage = (props: Omit<ComponentProps<typeof NotDonePage>, "assets">): string =>
  page(<NotDonePage assets={formAssets} {...props} />);

export const claimPage = (props: Omit<ComponentProps<typeof ClaimPage>, "assets">): string =>
  page(<ClaimPage {...props} assets={formAssets} />);

export const unknownClaimPage = (): string => page(<UnknownClaimPage assets={formAssets} />);

export const homeDoorPage = (props: Omit<ComponentProps<typeof HomeDoorPage>, "assets">): string =>
  page(<HomeDoorPage {...props} assets={formAssets} />);

export const confirmPage = (props: Omit<ComponentProps<typeof ConfirmPage>, "assets">): string =>
  page(<ConfirmPage {...props} assets={formAssets} />);
export const unknownConfirmPage = (): string => page(<UnknownConfirmPage assets={formAssets} />);
export const homeEntryPage = (props: Omit<ComponentProps<typeof HomeEntryPage>, "assets">): string =>
  page(<HomeEntryPage {...props} assets={formAssets} />);

export const homePage = (props: Omit<ComponentProps<typeof HomePage>, "assets">): string =>
  page(<HomePage {...props} assets={formAssets} />);

/** The only script that stands in a page itself, for the content security policy. */
export const inlineScript = themeScript;
