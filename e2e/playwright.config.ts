import { defineConfig, devices } from "@playwright/test";
import { cameraVideo, oneBrowser, type ProjectMetadata } from "./fixtures/test";

/**
 * The browsers that `npm test` found (scripts/checks/browser.mjs). `libraries` is set if the system lacks libraries of
 * the browser.
 */
const browsers = JSON.parse(process.env.BROWSERS ?? "[]") as { name: string; path: string; libraries?: string }[];

export default defineConfig({
  testDir: ".",
  // Each worker has a service of its own. Most journeys wait for their page.
  workers: 2,
  // In CI a failed journey is tried once more, and reported: see docs/decisions/281.
  retries: process.env.CI ? 1 : 0,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  outputDir: "../test-results",
  projects: browsers.map(({ name, path, libraries }, index) => ({
    name: `${/^\D*\d+/.exec(name)?.[0]} (${index + 1})`,
    metadata: { isFirst: index === 0 } satisfies ProjectMetadata,
    ...(index > 0 && { grepInvert: new RegExp(oneBrowser.tag) }),
    use: {
      ...devices["Desktop Chrome"],
      permissions: ["camera", "clipboard-read", "clipboard-write"],
      screenshot: "only-on-failure",
      // Recording takes as much processor time as the journey: see docs/decisions/565.
      trace: "on-first-retry",
      launchOptions: {
        executablePath: path,
        ...(libraries && { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> }),
        args: [
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run",
          "--use-fake-device-for-media-stream",
          "--use-fake-ui-for-media-stream",
          `--use-file-for-fake-video-capture=${cameraVideo}`,
        ],
      },
    },
  })),
});
