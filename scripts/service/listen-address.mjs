import { Failure } from "../launch/failure.mjs";
import { tryPort } from "../database/ports.mjs";

/** Finds out before anything is started whether the server can listen there. Port 0 becomes one that is free. */
export async function settlePort(port, host) {
  const tried = await tryPort(port, host);
  if ("port" in tried) return tried.port;
  const other = `choose another port: PORT=${port < 1024 ? 3000 : port + 1} npm start`;
  if (tried.refused === "EADDRINUSE")
    throw new Failure(`Port ${port} is in use by another program.`, `stop that program, or ${other}`);
  if (tried.refused === "EACCES")
    throw new Failure(`This user may not listen on port ${port}.`, `${other}, and put a reverse proxy in front.`);
  if (tried.refused === "EADDRNOTAVAIL")
    throw new Failure(`This machine has no address ${host}.`, "correct HOST; 0.0.0.0 means all addresses.");
  throw new Failure(
    `The server cannot listen on ${host}, port ${port} (${tried.refused}).`,
    `correct HOST and PORT, or ${other}`,
  );
}
