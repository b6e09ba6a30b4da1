import type { DomainError } from "@/server/core/errors";
import type { UpsertInput } from "@/server/subjects/input";
import { fieldsOf, type CellError, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";
import type { RunConfig } from "./config";
import type { Precedence } from "./precedence";
import type { Known } from "./resolve";

/** `left`: fields of the row that a connector which comes first writes. */
export type Decision = { input: UpsertInput; known: Known | null; left: FieldName[] } | { error: CellError };

/**
 * What a row of a feed does: the upsert of whom it is about, without the fields that another connector writes, or why it
 * is rejected. Whoever was deactivated because they were missing, and is back, is active again. Whom another live source
 * keeps active is not deactivated.
 */
export function decide(
  config: Pick<RunConfig, "adopt" | "mapping">,
  precedence: Precedence[],
  { key, fields }: { key: string; fields: Omit<UpsertInput, "externalId"> },
  known: Known | null,
): Decision {
  if (known && !known.provided && config.adopt === "never")
    return {
      error: {
        column: null,
        code: "not_adopted",
        message: "Another source has somebody with this externalId, and the connector may not take them over (adopt).",
      },
    };
  const input: UpsertInput = { ...fields, externalId: known?.external_id ?? key };
  if (known?.ended && !config.mapping.status) input.status = "active";
  if (known?.kept && input.status === "inactive") delete input.status;
  const taken = new Set<FieldName>(
    precedence
      .filter(({ id }) => known?.first.includes(id))
      .flatMap(({ mapping }) => fieldsOf(mapping).map(([name]) => name)),
  );
  const left = fieldsOf(config.mapping).flatMap(([name]) => (name !== "externalId" && taken.has(name) ? [name] : []));
  return { input: left.length === 0 ? input : without(input, taken), known, left };
}

/**
 * Whether a feed calls somebody inactive: a feed that writes no status calls everybody active whom it has; null where it
 * says nothing, so that what it said last stands.
 */
export function callsInactive({ status: mapped }: Mapping, status: UpsertInput["status"]): boolean | null {
  if (!mapped) return false;
  return status === undefined ? null : status === "inactive";
}

function without(input: UpsertInput, taken: Set<FieldName>): UpsertInput {
  const left = Object.fromEntries(
    Object.entries(input).filter(([name]) => name === "externalId" || !taken.has(name)),
  ) as UpsertInput;
  if (left.attributes)
    left.attributes = Object.fromEntries(
      Object.entries(left.attributes).filter(([name]) => !taken.has(`attributes.${name}`)),
    );
  return left;
}

export const duplicate: CellError = {
  column: null,
  code: "duplicate_external_id",
  message: "An earlier row of the file has the same id. Only the first one counts, also where it was rejected.",
};

/** Why the writer refused a row. */
export const refusedBy = ({ code, message }: DomainError): CellError => ({ column: null, code, message });
