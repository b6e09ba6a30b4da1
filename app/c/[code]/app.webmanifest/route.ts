import { formatCode, readCode } from "@/server/credentials/code";
import { alwaysRevalidated } from "@/server/http/rest/verification-answer";
import { publicRoute } from "@/server/http/rest/public-route";
import { examine } from "@/server/verification/verify-code";

/** The manifest that lets a browser add the page of a credential to the home screen (Web Application Manifest). */
export const GET = publicRoute(
  async ({ params, now }) => {
    const typed = params["code"]!;
    const { title, issuer } = (await examine(typed, now)).verification.credential;
    const url = `/c/${formatCode(readCode(typed)!)}`;
    const manifest = {
      id: url,
      name: `${title}, ${issuer.name}`,
      short_name: title,
      start_url: url,
      scope: "/c/",
      display: "standalone",
      background_color: "#fbfaf8",
      theme_color: "#fbfaf8",
      icons: [{ src: "/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }],
    };
    return {
      status: 200,
      body: JSON.stringify(manifest),
      headers: { ...alwaysRevalidated, "content-type": "application/manifest+json" },
    };
  },
  { headers: alwaysRevalidated },
);
