import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { Failure } from "../launch/failure.mjs";
import { readIfThere, writeWhole } from "../launch/files.mjs";
import { inProject, root } from "../launch/paths.mjs";
import { run, tail } from "../launch/run.mjs";

const stamp = inProject(".build", "prisma-client.hash");

/** Generates the Prisma client unless it matches prisma/schema.prisma already. */
export async function generatePrismaClient(step) {
  const hash = createHash("sha256");
  for (const file of ["prisma/schema.prisma", "prisma/prisma.config.ts", "node_modules/prisma/package.json"])
    hash.update(readFileSync(inProject(file)));
  const want = hash.digest("hex");
  if (readIfThere(stamp) === want && existsSync(inProject("server", "core", "generated", "client.ts"))) return;
  await step("Prisma client", async ({ done }) => {
    rmSync(stamp, { force: true });
    const { code, output } = await run(
      process.execPath,
      [inProject("node_modules", "prisma", "build", "index.js"), "generate", "--config", "prisma/prisma.config.ts"],
      {
        cwd: root,
        env: {
          ...process.env,
          CHECKPOINT_DISABLE: "1",
          PRISMA_HIDE_UPDATE_MESSAGE: "1",
          // The command downloads an engine if there is none, but does not use it to generate.
          PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        },
      },
    );
    if (code !== 0)
      throw new Failure("The Prisma client could not be generated.", "correct prisma/schema.prisma and start again.", {
        detail: tail(output),
      });
    mkdirSync(inProject(".build"), { recursive: true });
    writeWhole(stamp, want);
    done("generated");
  });
}
