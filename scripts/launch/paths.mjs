import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A path inside the project, whatever the working directory is. */
export const inProject = (...parts) => join(root, ...parts);
