import { runAdmin } from "./admin/run";

process.exitCode = await runAdmin(process.argv.slice(2));
