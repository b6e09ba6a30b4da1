import { inProject } from "../launch/paths.mjs";

// `next build` that ends with its parent process: an orphaned build would prevent the next one.
process.once("disconnect", () => process.exit(1));
process.argv = [process.execPath, inProject("node_modules", "next", "dist", "bin", "next"), "build"];
process.channel?.unref();
await import(process.argv[1]);
