import { Invalid, Unverifiable } from "../failure";
import { isObject, listOf, type Json, type JsonObject } from "../json";
import { listProblems } from "../status-list/bitstring-status-list";
import { statusTypeNames, statusTypeOf } from "../status-list/status-types";
import type { Status, StatusContext } from "../status-list/status-type";
import type { Surroundings } from "../surroundings";
import { idOf } from "../vcdm/validate-credential";
import type { StandardCheck } from "./check";
import { verifyList } from "./verify-signature";

const name = "status";
/** The most status entries of a credential. Each costs a request. */
const maxEntries = 5;

/**
 * Returns what is wrong with the shape of a credential's status entries, and of the status list that it is itself, in
 * sentences. Entries of unknown kinds are skipped.
 */
export function statusProblems(document: JsonObject): string[] {
  const entries = entriesOf(document["credentialStatus"]).flatMap((entry) =>
    listOf(entry["type"]).flatMap((type) => statusTypeOf(type)?.problems(entry) ?? []),
  );
  return [...entries, ...listProblems(document)];
}

/**
 * Checks every status that a credential names. A status that cannot be checked is an error, unless another status says
 * that the credential is revoked.
 */
export async function checkStatuses(document: JsonObject, surroundings: Surroundings): Promise<StandardCheck[]> {
  const entries = entriesOf(document["credentialStatus"]);
  if (entries.length === 0)
    return [{ name, outcome: "skipped", detail: "The issuer does not publish whether this credential was revoked." }];
  if (entries.length > maxEntries)
    return [
      {
        name,
        outcome: "error",
        detail: `The credential names more than ${maxEntries} places of its status.`,
        reason: "status_unavailable",
      },
    ];
  const context: StatusContext = {
    ...surroundings,
    issuer: idOf(document["issuer"])!,
    credentialId: idOf(document),
    verifyList: (text) => verifyList(text, surroundings),
  };
  return Promise.all(entries.map((entry) => checkStatus(entry, context)));
}

async function checkStatus(entry: JsonObject, context: StatusContext): Promise<StandardCheck> {
  try {
    return told(await read(entry, context));
  } catch (error) {
    if (!(error instanceof Invalid) && !(error instanceof Unverifiable)) throw error;
    // A wrong list says as little about the credential as an unreachable one.
    return { name, outcome: "error", detail: error.message, reason: "status_unavailable" };
  }
}

function read(entry: JsonObject, context: StatusContext): Promise<Status> {
  const type = listOf(entry["type"])
    .map(statusTypeOf)
    .find((each) => each !== undefined);
  if (!type)
    throw new Unverifiable(
      `The status is of the kind ${JSON.stringify(entry["type"]).slice(0, 60)}, which is not known here (${statusTypeNames.join(", ")} are).`,
    );
  const problems = type.problems(entry);
  if (problems.length > 0) throw new Invalid(problems.join(" "));
  return type.read(entry, context);
}

function told({ purpose, isSet, message }: Status): StandardCheck {
  const because = message ? `: ${message}` : ".";
  if (purpose === "revocation" && isSet)
    return { name, outcome: "fail", detail: `Revoked by its issuer${because}`, reason: "revoked" };
  if (purpose === "suspension" && isSet)
    return { name, outcome: "fail", detail: `Suspended by its issuer${because}`, reason: "suspended" };
  if (purpose === "revocation") return { name, outcome: "pass", detail: "Not revoked." };
  if (purpose === "suspension") return { name, outcome: "pass", detail: "Not suspended." };
  if (purpose === "refresh" && isSet) return { name, outcome: "pass", detail: "The issuer has a newer version of it." };
  return {
    name,
    outcome: "pass",
    detail: `The issuer's list on ${JSON.stringify(purpose).slice(0, 60)} ${isSet ? `is set${because}` : "is not set."}`,
  };
}

const entriesOf = (value: Json | undefined): JsonObject[] => listOf(value).filter(isObject);
