import { z } from "zod";

/** The file that a run got by SFTP. */
export interface Origin {
  name: string;
  size: number;
  /** RFC 3339. */
  modifiedAt: string;
  /** For a fetched file: its server as sftp://host:port, and the folder. */
  server?: string;
  folder?: string;
  /** The path that it was moved to, below the folder. */
  movedTo?: string;
  /** Why it was not moved, as a message for administrators. */
  problem?: string;
  /** How often moving it was tried. */
  attempts?: number;
}

export const originSchema = z
  .object({
    name: z.string(),
    size: z.int().meta({ description: "Bytes." }),
    modifiedAt: z.iso.datetime(),
    movedTo: z
      .string()
      .nullable()
      .meta({ description: "For a fetched file: the path on its server that it was moved to." }),
    problem: z.string().nullable().meta({ description: "Why the file could not be moved." }),
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
