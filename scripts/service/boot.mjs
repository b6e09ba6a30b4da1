import { buildPages } from "../build/build-pages.mjs";
import { readConfiguration } from "./configuration.mjs";
import { usePages } from "../build/page-users.mjs";
import { prepareDataDirectory } from "../database/data-directory.mjs";
import { openDatabase } from "../database/database.mjs";
import { becomeTheServer, refuseSecondServer } from "./instance.mjs";
import { settlePort, settleSftpPort } from "./listen-address.mjs";
import { prepareCode } from "../build/prepare-code.mjs";
import { prepareDatabase } from "./prepare-database.mjs";
import { watchPublic } from "../build/watch-public.mjs";
import { untilReady } from "./readiness.mjs";
import { runAdmin } from "./run-admin.mjs";
import { setUpLink } from "./set-up-link.mjs";

/**
 * The steps from a clone to a ready server. Functions that undo a step at the end are pushed to `undo` as soon as they
 * are needed.
 *
 * @param {ReturnType<typeof import("../launch/progress.mjs").progressOn>} step
 * @param {{ dev: boolean, demo: boolean, signal: AbortSignal, undo: (() => unknown)[] }} options
 */
export async function boot(step, { dev, demo, signal, undo }) {
  const next = (...args) => {
    signal.throwIfAborted();
    return step(...args);
  };
  await prepareCode(next);
  const config = await readConfiguration(dev ? "development" : "production");
  const { dataDirectory } = config;

  await next("Data directory", async ({ done }) => {
    done(dataDirectory);
    prepareDataDirectory(dataDirectory);
    if (!config.databaseUrl) refuseSecondServer(dataDirectory);
  });
  const reservedPorts = await next("Port", async ({ done }) => {
    const port = await settlePort(config.port, config.host);
    process.env.PORT = String(port);
    process.env.PUBLIC_URL = config.publicUrl ?? `http://localhost:${port}`;
    const sftpPort = await settleSftpPort(config.sftpPort, port, config.host);
    if (sftpPort !== undefined) process.env.SFTP_PORT = String(sftpPort);
    undo.push(await becomeTheServer(dataDirectory, process.env.PUBLIC_URL, { shared: !!config.databaseUrl }));
    done(sftpPort === undefined ? `${port} is free` : `${port} is free, and ${sftpPort} for SFTP`);
    return [port, sftpPort];
  });
  const database = await next("Database", async (report) => {
    const opened = await openDatabase(config, report, { reservedPorts });
    undo.push(opened.close);
    report.done(opened.description);
    return opened;
  });
  const secrets = await next("Migrations", async ({ doing, done }) => {
    const { applied, total, secrets } = await prepareDatabase(dataDirectory, database, { doing });
    done(applied.length > 0 ? `${applied.length} applied, ${total} in all` : `all ${total} applied before`);
    return secrets;
  });
  if (dev) undo.push(watchPublic());
  else {
    await next("Pages", (report) => buildPages(report, signal));
    undo.push(usePages(process.env.PUBLIC_URL));
  }

  process.env.DATA_DIR = dataDirectory;
  process.env.DATABASE_URL = database.url;
  process.env.EMBEDDED_DATABASE = database.supervise ? "1" : "0";
  Object.assign(process.env, secrets);
  const notes = demo ? await next("Demo data", () => runAdmin(["demo"], signal)) : "";
  await next("Server", ({ done }) => startServing({ dev, host: config.host, undo, signal, done }), { writes: true });
  return { notes, link: await setUpLink(signal), database, host: config.host };
}

async function startServing({ dev, host, undo, signal, done }) {
  const { serve } = await import("../../.build/serve.mjs");
  const server = await serve({ dev });
  undo.push(server.stop);
  await untilReady(host, server.port, signal);
  done(`ready on port ${server.port}`);
}
