import { Failure } from "../launch/failure.mjs";
import { tryPort } from "../database/ports.mjs";

/**
 * Checks before anything starts whether the server can listen there. Port 0 becomes a free port.
 *
 * @param {string} [name] the variable that sets the port
 * @throws Failure that says what to do
 */
export async function settlePort(port, host, name = "PORT") {
  const tried = await tryPort(port, host);
  const other = chooseAnother(port, name);
  if ("port" in tried) {
    if (name === "PORT" && (await isBlocked(tried.port)))
      throw new Failure(`Browsers open no page on port ${port}: it is kept for another protocol.`, other);
    return tried.port;
  }
  if (tried.refused === "EADDRINUSE")
    throw new Failure(`Port ${port} is in use by another program.`, `stop that program, or ${other}`);
  if (tried.refused === "EACCES")
    throw new Failure(
      `This user may not listen on port ${port}.`,
      name === "PORT" ? `${other}, and put a reverse proxy in front.` : other,
    );
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(tried.refused))
    throw new Failure(`This machine has no address ${host}.`, "correct HOST; 0.0.0.0 means all addresses.");
  throw new Failure(
    `The server cannot listen on ${host}, port ${port} (${tried.refused}).`,
    `correct HOST and ${name}, or ${other}`,
  );
}

/**
 * Does the same for the SFTP server; undefined without one.
 *
 * @param {number | undefined} port SFTP_PORT
 * @param {number} webPort the resolved PORT
 */
export async function settleSftpPort(port, webPort, host) {
  if (port === undefined) return undefined;
  if (port === webPort) throw new Failure(`SFTP_PORT and PORT are both ${port}.`, chooseAnother(port, "SFTP_PORT"));
  return settlePort(port, host, "SFTP_PORT");
}

/** Whether a free port is one that the Fetch standard blocks. Node's fetch refuses such a port before it connects. */
const isBlocked = (port) =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    ({ cause }) => cause?.message === "bad port",
  );

const chooseAnother = (port, name) =>
  `choose another port: ${name}=${port < 1024 ? (name === "PORT" ? 3000 : 2222) : port + 1} npm start`;
