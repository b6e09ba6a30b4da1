import { join } from "node:path";
import type { Barcode, OverridablePassProps } from "passkit-generator";
import { DomainError } from "@/server/core/errors";
import { processState } from "@/server/core/process-state";
import type { Caller } from "@/server/core/turns";
import { WorkerEnded } from "@/server/core/workers/worker-ended";
import { WorkerPool } from "@/server/core/workers/worker-pool";
import type { PassIdentity } from "./settings";

export interface PassField {
  /** Unique in a style. Wallet compares the values of a key to tell what changed. */
  key: string;
  label: string;
  value: string;
  /** The message on the lock screen when the value changes; %@ is the new value. */
  changeMessage?: string;
}

/** What pass.json says, in the terms of Wallet Passes. */
export interface PassDocument {
  props: OverridablePassProps;
  expiresAt: Date | null;
  barcodes: Barcode[];
  generic: Record<"header" | "primary" | "secondary" | "auxiliary" | "back", PassField[]>;
  poster: Record<"header" | "primary" | "footer" | "back", PassField[]>;
}

/** A pass to put together and sign. */
export interface PassJob {
  document: PassDocument;
  /** PNG files by name, such as icon@2x.png. */
  images: Record<string, Uint8Array>;
  signing: Pick<PassIdentity, "certificate" | "privateKey" | "wwdr">;
}

// Apart from the process that draws: that one reads pictures of strangers, and this one has keys.
const { pool } = processState("pass signing", () => ({
  pool: new WorkerPool<PassJob, Uint8Array>({
    entry: join(process.cwd(), ".build", "pass-worker.mjs"),
    memoryMb: 192,
    // A signature takes some 35 ms.
    jobMs: 10_000,
    idleMs: 60_000,
    turns: { doing: "passes are being signed", atOnce: 1, each: 64, all: 512, waitMs: 15_000 },
  }),
}));

/**
 * Puts a pass together and signs it, in a process of its own, because the signature blocks for 35 ms.
 * @returns a .pkpass file
 * @throws DomainError unavailable if it cannot be signed now; rate_limited if the caller has many waiting
 */
export async function signPass(caller: Caller, job: PassJob): Promise<Uint8Array> {
  try {
    return await pool.run({ caller }, job);
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    throw new DomainError("unavailable", "The pass could not be signed in time. Try again shortly.", {
      headers: { "retry-after": "5" },
    });
  }
}

/** Ends the process that signs. Called on a clean stop. */
export const stopSigning = (): Promise<void> => pool.stop();
