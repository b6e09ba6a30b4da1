import type { ReactNode } from "react";
import { themeScript } from "@/components/theme/theme-script";
import { language, liveWords, wordsId, type LiveWords } from "@/components/public/words";

/** Files of the bundle that a page loads: paths below /assets. */
export interface Assets {
  style: string;
  /** null if a page works without scripts. */
  script: string | null;
  /** The part of the words that the scripts need, on a page that is not in English. */
  live?: LiveWords;
  /** The script of the offline part, and the list of all files that a device keeps of the page. */
  device?: string;
  files?: string[];
}

interface Props {
  assets: Assets;
  title: string;
  robots: string;
  description?: string;
  /** Further elements of the head. */
  head?: ReactNode;
  children: ReactNode;
}

/** A whole public page. Its head equals that of the layout of the other pages (app/layout.tsx). */
export function Document({ assets, title, robots, description, head, children }: Props) {
  const words = assets.live && liveWords(assets.live);
  return (
    <html lang={language()}>
      {/* oxlint-disable-next-line nextjs/no-head-element -- Next does not render this page */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <link rel="stylesheet" href={assets.style} />
        {/* oxlint-disable-next-line nextjs/no-sync-scripts -- a module waits for the page by itself */}
        {assets.script && <script type="module" src={assets.script} />}
        <title>{`${title} · Bonafide`}</title>
        {description && <meta name="description" content={description} />}
        <meta name="robots" content={robots} />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf8" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0a0f13" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" sizes="any" />
        {head}
        {words && <script type="application/json" id={wordsId} dangerouslySetInnerHTML={{ __html: words }} />}
      </head>
      <body>{children}</body>
    </html>
  );
}
