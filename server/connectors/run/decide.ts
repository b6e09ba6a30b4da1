import type { DomainError } from "@/server/core/errors";
import type { UpsertInput } from "@/server/subjects/input";
import { fieldsOf, type CellError, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";
import type { RunConfig } from "./config";
import type { Precedence } from "./precedence";
import { ambiguous, namedTwice, type Found, type Known } from "./resolve";

/** `left`: fields of the row that are not written because a connector with higher precedence writes them. */
export type Decision = { input: UpsertInput; known: Known | null; left: FieldName[] } | { error: CellError };

/**
 * Decides what a row does: returns the upsert of its person, without the fields that another connector writes, or why the
 * row is rejected. A person who was deactivated as missing and is listed again becomes active, unless the row has a status.
 * A person whom another live source keeps active is not deactivated.
 */
export function decide(
  config: Pick<RunConfig, "adopt" | "mapping">,
  precedence: Precedence[],
  { key, fields }: { key: string; fields: Omit<UpsertInput, "externalId"> },
  known: Found,
): Decision {
  if (known === ambiguous) return { error: ambiguousEmail };
  if (known === namedTwice) return { error: duplicate };
  if (known && !known.provided && config.adopt === "never")
    return {
      error: {
        column: null,
        code: "not_adopted",
        message:
          "A person from another source has this externalId, and the connector may not take over people (adopt).",
      },
    };
  const input: UpsertInput = { ...fields, externalId: known?.external_id ?? key };
  if (known?.ended && input.status === undefined) input.status = "active";
  if (known?.kept && input.status === "inactive") delete input.status;
  const taken = takenBy(precedence, known);
  const left = fieldsOf(config.mapping).flatMap(([name]) => (name !== "externalId" && taken.has(name) ? [name] : []));
  return { input: left.length === 0 ? input : without(input, taken), known, left };
}

/**
 * Returns the fields that connectors with higher precedence write. A file writes every field that it maps: an empty
 * cell empties the field. A directory writes only fields for which it has a value (docs/decisions/524).
 */
function takenBy(precedence: Precedence[], known: Known | null): Set<FieldName> {
  return new Set(
    precedence.flatMap(({ id, mapping }) => {
      const source = known?.first.find((each) => each.id === id);
      if (!source) return [];
      const { stated } = source;
      return fieldsOf(mapping).flatMap(([name]) => (stated === null || stated.includes(name) ? [name] : []));
    }),
  );
}

/**
 * Whether a feed marks a person as inactive. A feed without a mapped status marks everybody it lists as active. null if the
 * row has no status, so that the status of the last row stays.
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

const ambiguousEmail: CellError = {
  column: null,
  code: "ambiguous_email",
  message:
    "Several people here, or several rows of the file, have this e-mail address, so it is unknown who is meant. Give the person the id of the file as externalId, or the others another address.",
};

export const duplicate: CellError = {
  column: null,
  code: "duplicate_external_id",
  message: "An earlier row of the file has the same id. Only the first row of an id counts, even if it was rejected.",
};

/** Converts an error of the writer to the error of a row. */
export const refusedBy = ({ code, message }: DomainError): CellError => ({ column: null, code, message });
