import { inProject } from "../launch/paths.mjs";

// `next build` that ends with the process that asked for it: one left behind would keep the next from building.
process.once("disconnect", () => process.exit(1));
process.argv = [process.execPath, inProject("node_modules", "next", "dist", "bin", "next"), "build"];
process.channel?.unref();
await import(process.argv[1]);
