import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort } from "../database/ports.mjs";
import { settlePort, settleSftpPort } from "./listen-address.mjs";

const host = "127.0.0.1";
const refusal = (settling) =>
  settling.then(
    () => undefined,
    ({ message, todo }) => `${message} ${todo}`,
  );

it("says what to do if another program has the port of the server or of SFTP", async () => {
  const other = createServer().listen(0, host);
  await once(other, "listening");
  const { port } = other.address();
  try {
    expect(await refusal(settlePort(port, host))).toContain(`PORT=${port + 1} npm start`);
    const told = await refusal(settleSftpPort(port, 1, host));
    expect(told).toContain(`Port ${port} is in use by another program.`);
    expect(told).toContain(`SFTP_PORT=${port + 1} npm start`);
  } finally {
    other.close();
  }
});

it("refuses a port on which browsers open no page, for the pages alone", async () => {
  const told = await refusal(settlePort(10080, host));
  expect(told).toContain("Browsers open no page on port 10080");
  expect(told).toContain("PORT=10081 npm start");
  expect(await settleSftpPort(10080, 1, host)).toBe(10080);
});

it("refuses one port for both the server and SFTP", async () => {
  const port = await freePort();
  expect(await refusal(settleSftpPort(port, port, host))).toContain(`SFTP_PORT and PORT are both ${port}.`);
});

it("takes no port for SFTP if none is configured, and accepts a free one", async () => {
  expect(await settleSftpPort(undefined, 3000, host)).toBeUndefined();
  const port = await freePort();
  expect(await settleSftpPort(port, 1, host)).toBe(port);
});

it.each(["999.1.1.1", "nonesuch.invalid"])("names HOST where it is no address of this machine: %s", async (wrong) => {
  expect(await refusal(settlePort(3000, wrong))).toBe(
    `This machine has no address ${wrong}. correct HOST; 0.0.0.0 means all addresses.`,
  );
});
