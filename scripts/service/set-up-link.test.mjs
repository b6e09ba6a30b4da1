import { expect, it, vi } from "vitest";
import { setUpLink } from "./set-up-link.mjs";

it("prints on standard error that no link could be created, and ends nothing", async () => {
  // Nothing listens there.
  vi.stubEnv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none");
  const written = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    expect(await setUpLink(new AbortController().signal)).toBeUndefined();
    expect(String(written.mock.calls[0]?.[0])).toContain("npm run admin -- setup-link");
  } finally {
    written.mockRestore();
    vi.unstubAllEnvs();
  }
});
