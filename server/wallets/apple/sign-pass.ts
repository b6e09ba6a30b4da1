import { join } from "node:path";
import type { Barcode, OverridablePassProps } from "passkit-generator";
import { DomainError } from "@/server/core/errors";
import { processState } from "@/server/core/process-state";
import type { Caller } from "@/server/core/turns";
import { WorkerEnded } from "@/server/core/workers/worker-ended";
import { WorkerPool } from "@/server/core/workers/worker-pool";
import type { KeyJob } from "./open-key";
import type { PassIdentity } from "./settings";

export interface PassField {
  /** Unique within a style. Wallet finds changes by comparing the old and new value of each key. */
  key: string;
  label: string;
  value: string;
  /** The message on the lock screen when the value changes; %@ is the new value. */
  changeMessage?: string;
}

/** The content of pass.json, in the terms of Apple's Wallet Passes documentation. */
export interface PassDocument {
  props: OverridablePassProps;
  expiresAt: Date | null;
  barcodes: Barcode[];
  generic: Record<"header" | "primary" | "secondary" | "auxiliary" | "back", PassField[]>;
  poster: Record<"header" | "primary" | "footer" | "back", PassField[]>;
}

/** A pass to build and sign. */
export interface PassJob {
  document: PassDocument;
  /** PNG files by name, such as icon@2x.png. */
  images: Record<string, Uint8Array>;
  signing: Pick<PassIdentity, "certificate" | "privateKey" | "wwdr">;
}

/** What the worker process does (pass-worker.ts). */
export type SigningJob = PassJob | KeyJob;

// Not the process that draws pictures: that process decodes files of strangers, and this process has private keys.
const { pool } = processState("pass signing", () => ({
  pool: new WorkerPool<SigningJob, unknown>({
    entry: join(process.cwd(), ".build", "pass-worker.mjs"),
    memoryMb: 192,
    jobMs: 10_000,
    idleMs: 60_000,
    turns: { doing: "passes are being signed", atOnce: 1, each: 64, all: 512, waitMs: 15_000 },
  }),
}));

/**
 * Builds and signs a pass in a separate process, because a signature blocks the event loop for 35 ms.
 * @returns a .pkpass file
 * @throws DomainError unavailable if the pass cannot be signed now; rate_limited if the caller has too many passes waiting
 */
export async function signPass(caller: Caller, job: PassJob): Promise<Uint8Array> {
  try {
    return (await pool.run({ caller }, job)) as Uint8Array;
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    throw new DomainError("unavailable", "The pass could not be signed in time. Try again shortly.", {
      headers: { "retry-after": "5" },
    });
  }
}

/**
 * Opens a private key in the signing process. The sender of an encrypted key can ask for its passphrase to be hashed
 * billions of times; the process is then ended.
 * @returns the key as PEM without encryption; null if it cannot be opened
 * @throws DomainError unavailable, rate_limited
 */
export async function openSentKey(caller: Caller, job: KeyJob): Promise<string | null> {
  try {
    return (await pool.run({ caller }, job)) as string | null;
  } catch (error) {
    if (error instanceof WorkerEnded) return null;
    throw error;
  }
}

/** Stops the signing process. Called at shutdown. */
export const stopSigning = (): Promise<void> => pool.stop();
