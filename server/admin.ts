import { runAdmin } from "./admin/run";

export { runAdmin };

if (import.meta.main) process.exitCode = await runAdmin(process.argv.slice(2));
