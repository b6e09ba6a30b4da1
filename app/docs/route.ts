/** The reference of the API, from /openapi.json. Everything it loads comes from this host. */
export async function GET(): Promise<Response> {
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

const settings = {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "API reference · Bonafide" },
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference · Bonafide</title>
    <link rel="icon" href="/icon.svg" />
  </head>
  <body>
    <noscript>This page needs JavaScript. The same is at <a href="/openapi.json">/openapi.json</a>, and all error codes are at <a href="/docs/errors">/docs/errors</a>.</noscript>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script>Scalar.createApiReference("#reference", ${JSON.stringify(settings)});</script>
  </body>
</html>
`;
