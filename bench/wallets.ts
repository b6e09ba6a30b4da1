import { connect } from "node:http2";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout as pause } from "node:timers/promises";
import { startEngine } from "@/inngest/engine";
import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import { setNudge } from "@/server/core/nudge";
import { revokeTemplateCredentials } from "@/server/credentials/revoke-template";
import { buildPass } from "@/server/wallets/apple/build-pass";
import { pushDevices } from "@/server/wallets/apple/push-devices";
import { setAppleSettings } from "@/server/wallets/apple/set-settings";
import { signPass, stopSigning, type PassJob } from "@/server/wallets/apple/sign-pass";
import { AppleAuthority } from "@/server/wallets/apple/testing/authority";
import { PushServer } from "@/server/wallets/apple/testing/push-server";
import { stopDispatcher } from "@/server/webhooks/dispatch/running";
import type { Benchmark } from "./benchmark";
import { context, organisation } from "./setup";
import { inTurns, ownCpuTime, pace } from "./measure";

const phones = 10_000;
const passTypeId = "pass.test.example.card";
/** As many as a connection to Apple may carry at once. */
const streams = 200;

/**
 * Apple Wallet: passes signed a second; messages to phones a second; and the time from a revocation by template to the
 * message to the last of 10,000 phones, each with a pass of its own. Apple's push service is a stand-in in this process,
 * over HTTP/2 with mutual TLS, so half of what a message costs is its cost.
 */
export const wallets: Benchmark = async function* (_, { seconds }) {
  const authority = await AppleAuthority.create();
  const { server, service } = await PushServer.start(authority);
  const folder = mkdtempSync(join(tmpdir(), "bonafide-bench-"));
  const authorities = join(folder, "ca.pem");
  writeFileSync(authorities, authority.wwdr);
  Object.assign(env(), { APPLE_PUSH_URL: service.url, APPLE_PUSH_CA: authorities });
  const own = await organisation("wallets");
  const signing = { ...(await authority.issue({ passTypeId })), wwdr: authority.wwdr };
  await setAppleSettings(context(own.orgId), signing);
  try {
    const [ours, library] = await inTurns(
      3,
      () => pace(4, seconds, ownCpuTime, (lane, n) => signPass(own.orgId, pass(`${lane}-${n}`, signing))),
      // Building never waits for I/O, so timers need the pause.
      () => pace(1, seconds, ownCpuTime, (_lane, n) => buildPass(pass(String(n), signing)).then(() => setImmediate())),
    );
    yield {
      name: "passes signed, off the main thread",
      value: ours.rate,
      unit: "passes/s",
      reference: { name: "passkit-generator on the main thread, and nothing else", value: library.rate },
      target: { min: 0.8 },
    };
    await fillPhones(own.orgId, own.templateId, own.templateVersionId);
    const bare = await bareMessages(service.url, authority.wwdr, signing);
    await sql(
      `UPDATE apple_devices SET state = 'pending', next_attempt_at = now(), wanted_at = now() WHERE org_id = $1`,
      [own.orgId],
    );
    const started = performance.now();
    let sent = 0;
    while (sent < phones) sent += (await pushDevices(service, () => new Date())).sent;
    yield {
      name: "messages to phones, each recorded",
      value: (phones / (performance.now() - started)) * 1000,
      unit: "messages/s",
      reference: { name: "the same requests on one HTTP/2 connection, nothing recorded", value: bare },
      target: { min: 0.5 },
    };
    server.received.length = 0;
    const engine = await startEngine();
    try {
      const revoked = performance.now();
      await revokeTemplateCredentials(context(own.orgId), {
        id: publicId("tpl", own.templateId),
        reason: "Recalled",
        expectedCount: phones,
      });
      while (server.received.length < phones) await pause(10);
      yield {
        name: `from a revocation to the message to the last of ${phones.toLocaleString("en")} phones`,
        value: (performance.now() - revoked) / 1000,
        unit: "s",
        reference: { name: "the messages alone", value: phones / bare },
      };
    } finally {
      setNudge(() => undefined);
      await engine.stop();
      await stopDispatcher(0);
    }
  } finally {
    await stopSigning();
    await server.close();
    await authority.close();
    rmSync(folder, { recursive: true });
  }
};

/** A pass with the fields of a student card and one picture, as small as the pictures of passes can be. */
function pass(serial: string, signing: PassJob["signing"]): PassJob {
  const field = (key: string) => ({ key, label: key, value: `${key} ${serial}` });
  return {
    document: {
      props: {
        formatVersion: 1,
        serialNumber: serial,
        passTypeIdentifier: passTypeId,
        teamIdentifier: "TEAM123456",
        organizationName: "Example University",
        description: "Student card",
      },
      expiresAt: null,
      barcodes: [{ format: "PKBarcodeFormatQR", message: serial, messageEncoding: "iso-8859-1" }],
      generic: { header: [], primary: [field("holder")], secondary: [field("programme")], auxiliary: [], back: [] },
      poster: { header: [], primary: [field("holder")], footer: [field("programme")], back: [] },
    },
    images: { "icon.png": pixel, "icon@2x.png": pixel },
    signing,
  };
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Gives 10,000 people a credential, a pass and a phone that registered for it. */
async function fillPhones(orgId: Id<"org">, templateId: Id<"tpl">, versionId: Id<"tpv">): Promise<void> {
  await sql(
    `WITH people AS (
       INSERT INTO subjects (org_id, id, external_id, display_name)
       SELECT $1, uuidv7(), 'phone-' || n, 'Holder ' || n FROM generate_series(1, $4::int) AS n RETURNING id
     ), credentials AS (
       INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, source_type)
       SELECT $1, uuidv7(), upper(right(replace(gen_random_uuid()::text, '-', ''), 16)), id, $2, $3, 'student_id', 'active', now(), now(), 'api'
       FROM people RETURNING id
     ), passes AS (
       INSERT INTO apple_passes (org_id, credential_id, serial, token, pass_type_id, revised_at, created_at)
       SELECT $1, id, id::text, '\\x00', $5, now(), now() FROM credentials RETURNING credential_id
     )
     INSERT INTO apple_devices (org_id, credential_id, device_id, pass_type_id, push_token, state, next_attempt_at, wanted_at, created_at)
     SELECT $1, credential_id, credential_id::text, $5, replace(credential_id::text, '-', ''), 'idle', now(), now(), now() FROM passes`,
    [orgId, templateId, versionId, phones, passTypeId],
  );
}

/** @returns how many messages a second one connection carries, without any record of them */
async function bareMessages(
  url: string,
  ca: string,
  { certificate, privateKey, wwdr }: PassJob["signing"],
): Promise<number> {
  const session = connect(url, { ca, cert: `${certificate}\n${wwdr}`, key: privateKey });
  const send = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request({ ":method": "POST", ":path": `/3/device/${n}`, "apns-topic": passTypeId });
      stream.resume().on("close", resolve).on("error", reject);
      stream.end("{}");
    });
  const started = performance.now();
  for (let n = 0; n < phones; n += streams) await Promise.all(Array.from({ length: streams }, (_, i) => send(n + i)));
  const rate = (phones / (performance.now() - started)) * 1000;
  session.close();
  return rate;
}
