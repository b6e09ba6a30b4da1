import { contentSecurityPolicy } from "./server/http/web/content-security-policy.mjs";

const development = process.env.NODE_ENV === "development";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // No page uses next/image; its endpoint would scale images for anyone.
  images: { unoptimized: true },
  devIndicators: false,
  agentRules: false,
  // Types are checked by `npm test` with tests and scripts; a second run here would only slow the build that `npm
  // start` does.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "inngest",
    "nodemailer",
    "pg",
    "pino",
    "ssh2",
    "undici",
  ],
  experimental: {
    optimizePackageImports: ["@heroui/react", "lucide-react", "recharts"],
    // A page is loaded when it is first opened (docs/decisions/515).
    preloadEntriesOnStart: false,
  },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        // In production, server/http/web/page-policy.ts knows the inline scripts of each page.
        ...(development
          ? [{ key: "content-security-policy", value: contentSecurityPolicy("'unsafe-inline'", { development }) }]
          : []),
        { key: "x-frame-options", value: "DENY" },
        { key: "cross-origin-opener-policy", value: "same-origin" },
        { key: "x-content-type-options", value: "nosniff" },
        { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
        { key: "permissions-policy", value: "camera=(self), microphone=(), geolocation=()" },
      ],
    },
  ],
};
