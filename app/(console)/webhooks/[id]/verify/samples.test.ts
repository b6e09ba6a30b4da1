import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "@/scripts/database/ports.mjs";
import { newSecret } from "@/server/webhooks/endpoints/secret";
import { signedHeaders, signingKey } from "@/server/webhooks/dispatch/sign";
import { samples } from "./samples";

interface Language {
  sample: keyof typeof samples;
  /** The command that must be installed, and the arguments that check it. */
  needs: [string, string];
  file: string;
  build?: string[];
  run: (port: number) => string[];
  /** What the sample prints if it has no secret. */
  complaint: RegExp;
}

const unset = /BONAFIDE_WEBHOOK_SECRET/;

const languages: Language[] = [
  {
    sample: "node",
    needs: [process.execPath, "--version"],
    file: "listener.mjs",
    run: () => [process.execPath, "listener.mjs"],
    complaint: /The "key" argument must be .* Received undefined/,
  },
  {
    sample: "python",
    needs: ["python3", "--version"],
    file: "listener.py",
    run: () => ["python3", "listener.py"],
    complaint: unset,
  },
  {
    sample: "go",
    needs: ["go", "version"],
    file: "listener.go",
    build: ["go", "build", "-o", "listener", "listener.go"],
    run: () => ["./listener"],
    complaint: unset,
  },
  {
    sample: "php",
    needs: ["php", "--version"],
    file: "listener.php",
    run: (port) => ["php", "-S", `127.0.0.1:${port}`, "listener.php"],
    complaint: unset,
  },
];

const secret = newSecret();
const body = JSON.stringify({ id: "evt_1", type: "credential.issued", data: { object: { id: "crd_1", name: "Zoë" } } });

/** A request that was sent `secondsAgo`, signed with each of the secrets. */
function headers(secrets: string[], secondsAgo = 0): Record<string, string> {
  const at = new Date(Date.now() - secondsAgo * 1000);
  return signedHeaders(
    { eventId: "evt_1", eventType: "credential.issued", deliveryId: "dlv_1", attempt: 1, body },
    secrets.map(signingKey),
    at,
  );
}

const signature = (secrets: string[], secondsAgo?: number) => headers(secrets, secondsAgo)["svc-signature"]!;

const refused: [string, () => string][] = [
  ["another secret", () => signature([newSecret()])],
  ["another time", () => signature([secret]).replace(/\d+/, (t) => String(Number(t) + 1))],
  ["an old time", () => signature([secret], 301)],
  ["a time to come", () => signature([secret], -310)],
  ["no time", () => signature([secret]).replace(/^t=\d+,/, "")],
  ["no signature", () => signature([secret]).replace(/,v1=.*/, "")],
  ["another version's signature", () => signature([secret]).replace("v1=", "v2=")],
  ["a signature cut short", () => signature([secret]).slice(0, -2)],
  ["a time that is no number", () => signature([secret]).replace(/t=\d+/, "t=soon")],
  ["a time of 400 digits", () => signature([secret]).replace(/t=\d+/, `t=${"9".repeat(400)}`)],
  ["a digit that is not ASCII", () => signature([secret]).replace(/t=\d+/, "t=\u00b2")],
  ["a signature that is not ASCII", () => signature([secret]).replace(/v1=.*/, `v1=${"\u00e9".repeat(64)}`)],
  ["garbage", () => "=,,==;v1,t"],
  ["nothing", () => ""],
];

describe.each(languages)("the $sample sample", ({ sample, needs, file, build, run, complaint }) => {
  const missing = spawnSync(needs[0], [needs[1]]).status !== 0;

  describe.skipIf(missing)(
    `as it is shown, save for its port${missing ? ` (skipped: ${needs[0]} is not installed)` : ""},`,
    () => {
      let folder: string;
      let env: NodeJS.ProcessEnv;
      let port: number;
      let listener: ChildProcess;
      let said: string;

      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), "sample-"));
        // Go must not fetch modules from the network, and caches its builds here.
        env = {
          NODE_ENV: "test",
          PATH: process.env["PATH"],
          HOME: folder,
          GO111MODULE: "off",
          GOCACHE: join(folder, "cache"),
          GOPATH: join(folder, "go"),
        };
        // Another process may take the port before the listener does; the listener then ends.
        do {
          port = await freePort();
          writeFileSync(join(folder, file), samples[sample].code.replace("8080", String(port)));
          if (build)
            expect(spawnSync(build[0]!, build.slice(1), { cwd: folder, env, encoding: "utf8" }).stderr).toBe("");
          listener = start({ BONAFIDE_WEBHOOK_SECRET: secret });
        } while (!(await listening(port, listener)) && /in use/i.test(said));
      }, 120_000);
      afterAll(async () => {
        await stop(listener);
        rmSync(folder, { recursive: true, force: true });
      });

      function start(own: Record<string, string>): ChildProcess {
        const [command, ...args] = run(port);
        const child = spawn(command!, args, {
          cwd: folder,
          env: { ...env, ...own },
          stdio: ["ignore", "ignore", "pipe"],
        });
        said = "";
        child.stderr.on("data", (text) => (said += String(text)));
        return child;
      }

      const send = async (sent: Record<string, string>, text = body) =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: sent, body: text })).status;

      test("accepts a delivery within 5 minutes", async () => {
        expect(await send(headers([secret]))).toBe(204);
        expect(await send(headers([secret], 290))).toBe(204);
        expect(await send(headers([secret], -290))).toBe(204);
      });

      test("accepts a delivery that is signed twice during a rotation, with either of the two secrets", async () => {
        expect(await send(headers([newSecret(), secret]))).toBe(204);
        expect(await send(headers([secret, newSecret()]))).toBe(204);
      });

      test.each(refused)("refuses %s", async (_, header) => {
        expect(await send({ "svc-signature": header() })).toBe(400);
      });

      test("refuses a changed body, and a request without the header", async () => {
        expect(await send(headers([secret]), body.replace("crd_1", "crd_2"))).toBe(400);
        expect(await send(headers([secret]), `${body} `)).toBe(400);
        expect(await send({})).toBe(400);
      });

      test("accepts nothing if it has no secret", async () => {
        await stop(listener);
        listener = start({});
        const listens = await listening(port, listener);
        const t = Math.floor(Date.now() / 1000);
        const forged = createHmac("sha256", "").update(`${t}.${body}`).digest("hex");
        const answer = await send({ "svc-signature": `t=${t},v1=${forged}` }).catch(() => "none");
        expect(listens ? ["none", 500] : ["none"]).toContain(answer);
        await vi.waitFor(() => expect(said).toMatch(complaint), 20_000);
      });
    },
  );
});

/** Resolves to true once the process accepts connections, or to false when it has ended. */
async function listening(port: number, listener: ChildProcess): Promise<boolean> {
  let ended = false;
  listener.once("close", () => (ended = true));
  while (!ended) {
    const socket = connect(port, "127.0.0.1");
    const accepted = await new Promise<boolean>((resolve) =>
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false)),
    );
    socket.destroy();
    if (accepted) return true;
    await pause(20);
  }
  return false;
}

async function stop(listener: ChildProcess): Promise<void> {
  if (listener.exitCode !== null || listener.signalCode !== null) return;
  const ended = once(listener, "exit");
  listener.kill("SIGKILL");
  await ended;
}
