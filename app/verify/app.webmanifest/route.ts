import { respond } from "@/server/http/rest/respond";

const manifest = {
  id: "/verify",
  name: "Bonafide: check a credential",
  short_name: "Check",
  start_url: "/verify",
  scope: "/verify",
  display: "standalone",
  background_color: "#fbfaf8",
  theme_color: "#fbfaf8",
  icons: [{ src: "/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }],
};

/** The manifest that lets a browser add the scanner to the home screen (Web Application Manifest). */
export const GET = (): Response =>
  respond(JSON.stringify(manifest), {
    status: 200,
    headers: { "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" },
  });
