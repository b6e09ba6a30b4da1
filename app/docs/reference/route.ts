/**
 * The API reference, generated from /openapi.json, with the colours, fonts and header of the documentation. All files
 * come from this host.
 */
export async function GET(request: Request): Promise<Response> {
  // The front door also sets the answer's policy as a header of the request (server/http/web/page-policy.ts). In
  // development there is none.
  const nonce = /'nonce-([\w+/=]+)'/.exec(request.headers.get("content-security-policy") ?? "")?.[1];
  return new Response(nonce ? page.replaceAll("<script>", `<script nonce="${nonce}">`) : page, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

/**
 * Our colours under Scalar's names (app/globals.css has the values), and room for the header above the sticky elements.
 */
const customCss = `
.light-mode { --scalar-background-1: oklch(1 0 0); --scalar-background-2: oklch(0.974 0.004 95); --scalar-background-3: oklch(0.955 0.005 95); --scalar-color-1: oklch(0.22 0.018 235); --scalar-color-2: oklch(0.42 0.018 235); --scalar-color-3: oklch(0.5 0.018 235); --scalar-color-accent: oklch(0.43 0.084 228); --scalar-background-accent: oklch(0.43 0.084 228 / 8%); --scalar-border-color: oklch(0.9 0.006 95); --scalar-sidebar-background-1: oklch(0.985 0.003 95); }
.dark-mode { --scalar-background-1: oklch(0.165 0.012 235); --scalar-background-2: oklch(0.2 0.014 235); --scalar-background-3: oklch(0.25 0.015 235); --scalar-color-1: oklch(0.955 0.005 235); --scalar-color-2: oklch(0.8 0.012 235); --scalar-color-3: oklch(0.69 0.018 235); --scalar-color-accent: oklch(0.76 0.095 216); --scalar-background-accent: oklch(0.76 0.095 216 / 10%); --scalar-border-color: oklch(0.285 0.014 235); --scalar-sidebar-background-1: oklch(0.145 0.011 235); }
:root { --scalar-custom-header-height: 57px; --scalar-font: "Inter Variable", ui-sans-serif, system-ui, sans-serif; --scalar-radius: 6px; }
`;

const settings = {
  url: "/openapi.json",
  theme: "none",
  customCss,
  withDefaultFonts: false,
  hideDarkModeToggle: true,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "API reference · Bonafide documentation" },
};

const seal =
  "M32 5.4Q40.59-.07 45.3 8.96 55.48 8.52 55.04 18.7 64.07 23.41 58.6 32 64.07 40.59 55.04 45.3 55.48 55.48 45.3 55.04 40.59 64.07 32 58.6 23.41 64.07 18.7 55.04 8.52 55.48 8.96 45.3-.07 40.59 5.4 32-.07 23.41 8.96 18.7 8.52 8.52 18.7 8.96 23.41-.07 32 5.4Z";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference · Bonafide documentation</title>
    <link rel="icon" href="/icon.svg" />
    <style>
      @font-face { font-family: "Inter Variable"; src: url("/docs/inter.woff2") format("woff2-variations"); font-weight: 100 900; font-display: swap; }
      :root { color-scheme: light; --paper: oklch(1 0 0); --ink: oklch(0.22 0.018 235); --line: oklch(0.9 0.006 95); --accent: oklch(0.43 0.084 228); --on-accent: oklch(0.99 0.004 228); }
      :root.dark { color-scheme: dark; --paper: oklch(0.2 0.014 235); --ink: oklch(0.955 0.005 235); --line: oklch(0.285 0.014 235); --accent: oklch(0.76 0.095 216); --on-accent: oklch(0.2 0.04 228); }
      body { margin: 0; background: var(--paper); color: var(--ink); font-family: "Inter Variable", ui-sans-serif, system-ui, sans-serif; }
      header.docs { position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 57px; display: flex; align-items: center; gap: 1rem; padding: 0 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); font-size: 0.8125rem; font-weight: 500; }
      header.docs a { color: var(--accent); text-decoration: none; border-radius: 3px; }
      header.docs a:hover { text-decoration: underline; text-underline-offset: 4px; }
      header.docs a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
      header.docs .home { display: flex; align-items: center; gap: 0.5rem; color: var(--ink); font-size: 0.9375rem; font-weight: 600; }
      header.docs .end { margin-left: auto; }
      noscript { display: block; padding: 2rem 1.25rem; }
    </style>
    <script>
      // As components/theme/theme-script.tsx: one choice for console, guides and reference.
      var chosen = "system";
      try { chosen = localStorage.getItem("theme") || "system"; } catch {}
      var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
      document.documentElement.classList.toggle("dark", dark);
    </script>
  </head>
  <body>
    <header class="docs">
      <a class="home" href="/docs" aria-label="Bonafide documentation"><svg viewBox="0 0 64 64" width="24" height="24" aria-hidden="true"><path fill="var(--accent)" d="${seal}" /><path fill="none" stroke="var(--on-accent)" stroke-width="6" stroke-linecap="round" stroke-linejoin="round" d="m21 33 8 8 15-17" /></svg>Bonafide</a>
      <a class="end" href="/docs">Guides</a>
      <a href="/docs/errors">Errors</a>
      <a href="/">Console</a>
    </header>
    <noscript>This page needs JavaScript. The same is at <a href="/openapi.json">/openapi.json</a>, and all error codes are at <a href="/docs/errors">/docs/errors</a>.</noscript>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script>Scalar.createApiReference("#reference", Object.assign(${JSON.stringify(settings)}, { forceDarkModeState: dark ? "dark" : "light" }));</script>
  </body>
</html>
`;
