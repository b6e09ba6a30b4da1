import { defineConfig, devices } from "@playwright/test";
import { cameraVideo } from "./fixtures/test";

export default defineConfig({
  testDir: ".",
  workers: 1,
  // In CI one try more, which is told: see docs/decisions/281.
  retries: process.env.CI ? 1 : 0,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  outputDir: "../test-results",
  use: {
    ...devices["Desktop Chrome"],
    permissions: ["camera", "clipboard-read", "clipboard-write"],
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      ...(process.env.CHROMIUM_LIBRARIES && {
        env: { ...process.env, LD_LIBRARY_PATH: process.env.CHROMIUM_LIBRARIES } as Record<string, string>,
      }),
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
});
