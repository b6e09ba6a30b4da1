import { z } from "zod";
import { invalidInput, line, parseInput } from "@/server/core/input";
import { mapping, type Mapping } from "./mapping";
import { requireScimMapping } from "./scim-mapping";
import { connectorTypeNames, connectorTypes, type ConnectorType } from "./types";

/**
 * How many people a connector may deactivate within 24 hours without a person: the greater of the two (contract section
 * 11).
 */
export const limits = z
  .strictObject({
    deactivations: z.int().min(0).max(1_000_000).default(10),
    deactivationPercent: z.int().min(0).max(100).default(10).meta({ description: "Of the connector's active people." }),
  })
  .meta({ id: "ConnectorLimits" });

/** What can be changed of a connector. */
export const connectorFields = {
  name: line(100).min(1, "must not be empty"),
  mapping,
  settings: z.record(z.string(), z.unknown()).meta({
    description: "What the type needs. csv: encoding (auto, utf-8, utf-16le, utf-16be, windows-1252) and delimiter.",
  }),
  mode: z.enum(["full", "delta"]).meta({
    description: "full: a file lists everybody. delta: it lists those that changed, and nobody is missing from it.",
  }),
  missing: z.enum(["keep", "deactivate"]).meta({
    description: "What becomes of people that a full file has no more, and that no other source provides.",
  }),
  adopt: z.enum(["externalId", "never"]).meta({
    description:
      "Whether a row may take over somebody that another source made under the same externalId. With never, such a row is rejected.",
  }),
  limits,
  priority: z.int().min(1).max(1000).meta({
    description: "Where two connectors map one field of a person, the one with the lower number writes it.",
  }),
};

/** @throws DomainError invalid_request with pointers below /settings. */
export function parseSettings(type: ConnectorType, settings: unknown): Record<string, unknown> {
  return parseInput(z.object({ settings: connectorTypes[type].settings }), { settings }).settings;
}

export const connectorType = z.enum(connectorTypeNames);

/**
 * Checks what a type asks of mapping and mode.
 * @throws DomainError invalid_request
 */
export function requireFitting(
  type: ConnectorType,
  { mapping, mode, missing }: { mapping: Mapping; mode: string; missing: string },
): void {
  if (type !== "scim") return;
  requireScimMapping(mapping);
  const wrong = mode !== "delta" ? "mode" : missing !== "keep" ? "missing" : null;
  if (wrong)
    throw invalidInput([
      {
        pointer: `/${wrong}`,
        code: "invalid_value",
        message: `must be ${wrong === "mode" ? "delta" : "keep"} for a connector of type scim: a directory says itself who left`,
      },
    ]);
}
