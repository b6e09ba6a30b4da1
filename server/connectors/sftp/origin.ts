import { z } from "zod";

/** Which file a run has from SFTP. */
export interface Origin {
  name: string;
  size: number;
  /** RFC 3339. */
  modifiedAt: string;
  /** Of a fetched file: sftp://host:port and the folder that it was taken from. */
  server?: string;
  folder?: string;
  /** Where it was moved to, below the folder. */
  movedTo?: string;
  /** Why it was not moved, in words for people. */
  problem?: string;
  /** How often moving it was tried. */
  attempts?: number;
}

export const originSchema = z
  .object({
    name: z.string(),
    size: z.int().meta({ description: "Bytes." }),
    modifiedAt: z.iso.datetime(),
    movedTo: z.string().nullable().meta({ description: "Of a fetched file: where on its server it was moved to." }),
    problem: z.string().nullable().meta({ description: "Why it was not moved, where that failed." }),
  })
  .meta({ id: "ConnectorRunFile" });

export const originView = (origin: Origin | null): z.output<typeof originSchema> | null =>
  origin && {
    name: origin.name,
    size: origin.size,
    modifiedAt: origin.modifiedAt,
    movedTo: origin.movedTo ?? null,
    problem: origin.problem ?? null,
  };
