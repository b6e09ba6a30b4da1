import { escapeHtml } from "@/server/core/html";

interface Refusal {
  status: number;
  title: string;
  detail: string;
  requestId: string;
}

/** The page loads nothing and runs nothing. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const refusalPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-language": "en",
  "content-security-policy": contentSecurityPolicy,
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
};

/** Texts for people, instead of the title and detail for programs. */
const words: Record<number, { title: string; text?: string }> = {
  404: {
    title: "There is no such page",
    text: "The address may be mistyped. To check a credential, go to the verification page.",
  },
  429: { title: "Too many requests" },
  500: { title: "Something went wrong", text: "The fault is on our side and was logged. Try again in a minute." },
  503: { title: "Not available at the moment", text: "Try again in a minute." },
};

/**
 * Renders a whole HTML page that says why a page is refused. Needs neither Next nor a file, so it costs next to
 * nothing.
 */
export function refusalPage({ status, title: problemTitle, detail, requestId }: Refusal): string {
  const { title = problemTitle, text = detail } = words[status] ?? {};
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Bonafide</title>
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 64 64" width="40" height="40" aria-hidden="true"><path class="seal" d="M32 5.4Q40.59-.07 45.3 8.96 55.48 8.52 55.04 18.7 64.07 23.41 58.6 32 64.07 40.59 55.04 45.3 55.48 55.48 45.3 55.04 40.59 64.07 32 58.6 23.41 64.07 18.7 55.04 8.52 55.48 8.96 45.3-.07 40.59 5.4 32-.07 23.41 8.96 18.7 8.52 8.52 18.7 8.96 23.41-.07 32 5.4Z"/><path class="check" d="m21 33 8 8 15-17"/></svg>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${status === 404 ? '<p class="links"><a href="/verify">Verify a credential</a> <a href="/">Console</a></p>\n' : ""}<p class="reference">Reference ${escapeHtml(requestId)}</p>
</main>
</body>
</html>
`;
}

/** Same colours as app/globals.css. */
const style = `
:root{color-scheme:light dark;--background:oklch(0.985 0.003 95);--foreground:oklch(0.22 0.018 235);--muted:oklch(0.5 0.018 235);--accent:oklch(0.43 0.084 228);--on-accent:oklch(0.99 0.004 228)}
@media (prefers-color-scheme:dark){:root{--background:oklch(0.165 0.012 235);--foreground:oklch(0.955 0.005 235);--muted:oklch(0.69 0.018 235);--accent:oklch(0.76 0.095 216);--on-accent:oklch(0.2 0.04 228)}}
body{margin:0;background:var(--background);color:var(--foreground);font:16px/1.5 "Inter Variable",ui-sans-serif,system-ui,sans-serif}
main{box-sizing:border-box;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:24px;text-align:center}
h1{margin:24px 0 0;font-size:20px;line-height:1.4;font-weight:600;letter-spacing:-0.015em}
p{margin:6px 0 0;max-width:24rem;font-size:14px;color:var(--muted);text-wrap:pretty;overflow-wrap:anywhere}
.links{margin-top:24px}.links a{display:inline-block;padding:6px 10px;color:var(--accent);text-underline-offset:4px}
.reference{margin-top:24px;font-size:12px}
.seal{fill:var(--accent)}.check{fill:none;stroke:var(--on-accent);stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
`.replaceAll("\n", "");
