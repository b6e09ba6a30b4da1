import { readConfiguration } from "./configuration.mjs";
import { prepareDataDirectory } from "./data-directory.mjs";
import { openDatabase } from "./database.mjs";
import { runningServer } from "./instance.mjs";
import { migrate } from "./migrate.mjs";
import { inProject } from "./paths.mjs";
import { prepareCode } from "./prepare-code.mjs";
import { endLike, runInOurPlace } from "./run.mjs";
import { masterSecrets } from "./secret.mjs";

/** Runs a command of server/admin.ts on the database and with the secrets of the server, whether or not that runs. */
export async function admin(step, args) {
  await prepareCode(step);
  const config = await readConfiguration("production");
  prepareDataDirectory(config.dataDirectory);
  const database = await openDatabase(config, { doing: () => {} });
  let ended;
  try {
    await migrate(database.ownerUrl);
    const env = {
      ...process.env,
      ...(await masterSecrets(config.dataDirectory, database.url)),
      DATA_DIR: config.dataDirectory,
      DATABASE_URL: database.url,
      PUBLIC_URL: config.publicUrl ?? runningServer(config.dataDirectory)?.publicUrl ?? `http://localhost:${config.port}`,
    };
    ended = await runInOurPlace(process.execPath, [inProject(".build", "admin.mjs"), ...args], { env });
  } finally {
    await database.close();
  }
  endLike(ended);
}
