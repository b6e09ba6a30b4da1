const development = process.env.NODE_ENV === "development";

// Pages load nothing from another host. Next writes inline scripts without a nonce on static pages, hence 'unsafe-inline'.
const contentSecurityPolicy = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'${development ? " 'unsafe-eval'" : ""}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' blob:",
  "worker-src 'self' blob:",
  `connect-src 'self'${development ? " ws:" : ""}`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join("; ");

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // No page uses next/image; its endpoint would scale images for anyone.
  images: { unoptimized: true },
  devIndicators: false,
  agentRules: false,
  // Types are checked by `npm test` with tests and scripts; a second run here would only slow the build that `npm start` does.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@node-rs/argon2", "@prisma/adapter-pg", "@prisma/client", "inngest", "nodemailer", "pg", "pino", "undici"],
  experimental: { optimizePackageImports: ["@heroui/react", "lucide-react", "recharts"] },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "content-security-policy", value: contentSecurityPolicy },
        { key: "x-frame-options", value: "DENY" },
        { key: "cross-origin-opener-policy", value: "same-origin" },
        { key: "x-content-type-options", value: "nosniff" },
        { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
        { key: "permissions-policy", value: "camera=(self), microphone=(), geolocation=()" },
      ],
    },
  ],
};
