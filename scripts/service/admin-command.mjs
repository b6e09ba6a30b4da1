import { existsSync } from "node:fs";
import { readConfiguration } from "./configuration.mjs";
import { prepareDataDirectory } from "../database/data-directory.mjs";
import { openDatabase } from "../database/database.mjs";
import { runningServer } from "./instance.mjs";
import { Failure } from "../launch/failure.mjs";
import { inProject } from "../launch/paths.mjs";
import { prepareCode } from "../build/prepare-code.mjs";
import { prepareDatabase, prepareReset } from "./prepare-database.mjs";
import { endLike, runInOurPlace } from "../launch/run.mjs";

/** Runs a command of server/admin.ts with the server's database and secrets, whether or not the server runs. */
export async function admin(step, args) {
  await prepareCode(step);
  const config = await readConfiguration("production");
  refuseMistypedFolder(config.dataDirectory);
  prepareDataDirectory(config.dataDirectory);
  const database = await openDatabase(config, { doing: () => {} }, { reservedPorts: [config.port, config.sftpPort] });
  let ended;
  try {
    const isReset = args[0] === "secret" && args[1] === "reset";
    const { secrets } = isReset
      ? await prepareReset(config.dataDirectory, database, {
          confirmed: /(^| )--confirm[= ]yes( |$)/.test(args.join(" ")),
        })
      : await prepareDatabase(config.dataDirectory, database);
    const env = {
      ...process.env,
      ...secrets,
      DATA_DIR: config.dataDirectory,
      DATABASE_URL: database.url,
      PUBLIC_URL:
        config.publicUrl ?? runningServer(config.dataDirectory)?.publicUrl ?? `http://localhost:${config.port}`,
    };
    ended = await runInOurPlace(process.execPath, [inProject(".build", "admin.mjs"), ...args], { env });
  } finally {
    await database.close();
  }
  endLike(ended);
}

/** Refuse to create a new database in a folder that is not the server's: the command would report an empty service. */
function refuseMistypedFolder(path) {
  if (process.env.DATA_DIR && !existsSync(path))
    throw new Failure(`DATA_DIR names ${path}, and there is no such folder.`, "name the data directory of the server.");
}
