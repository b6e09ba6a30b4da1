import { Invalid } from "../failure";
import { isObject, listOf, textOf, type Json, type JsonObject } from "../json";
import { isUrl } from "../vcdm/forms";
import { Bitstring } from "./bitstring";
import { fetchList } from "./fetch-list";
import type { StatusType } from "./status-type";

/** `BitstringStatusListEntry` (Bitstring Status List 1.0). */
export const bitstringStatusList: StatusType = {
  type: "BitstringStatusListEntry",
  problems: entryProblems,
  async read(entry, context) {
    const list = await fetchList(entry["statusListCredential"] as string, "BitstringStatusListCredential", context);
    const [problem] = subjectProblems(list);
    if (problem !== undefined) throw new Invalid(`The issuer's status list is malformed: its ${problem}`);
    const purpose = entry["statusPurpose"] as string;
    if (!listOf(list["statusPurpose"]).includes(purpose))
      throw new Invalid(`The issuer's status list is not about ${purpose}.`);
    const value = Bitstring.decode(list["encodedList"] as string).get(Number(entry["statusListIndex"]), sizeOf(entry));
    const message = messageOf(entry["statusMessage"], value);
    return { purpose, isSet: value !== 0, ...(message !== undefined && { message }) };
  },
};

/**
 * Returns what is wrong with a credential that is a status list itself (section 2.2), in sentences; nothing for any other
 * credential.
 */
export function listProblems({ type, credentialSubject }: JsonObject): string[] {
  if (!listOf(type).includes("BitstringStatusListCredential")) return [];
  if (!isObject(credentialSubject)) return ["credentialSubject of a status list must be one object."];
  const problems = subjectProblems(credentialSubject).map((problem) => `credentialSubject: ${problem}`);
  if (problems.length > 0) return problems;
  try {
    Bitstring.decode(credentialSubject["encodedList"] as string);
    return [];
  } catch (error) {
    if (error instanceof Invalid) return [`credentialSubject: ${error.message}`];
    throw error;
  }
}

function subjectProblems({ type, statusPurpose, encodedList, ttl }: JsonObject): string[] {
  const purposes = listOf(statusPurpose);
  const problems: string[] = [];
  if (type !== "BitstringStatusList") problems.push("type must be BitstringStatusList.");
  if (purposes.length === 0 || !purposes.every((each) => typeof each === "string" && each !== ""))
    problems.push("statusPurpose must be a text or a list of texts.");
  if (typeof encodedList !== "string") problems.push("encodedList must be a text.");
  if (ttl !== undefined && !(Number.isInteger(ttl) && (ttl as number) >= 0))
    problems.push("ttl must be a whole number of milliseconds.");
  return problems;
}

const sizeOf = ({ statusSize = 1 }: JsonObject) => statusSize as number;

/** Wrong shapes of an entry (section 2.1). The index is a text of digits: a number is not exact beyond 2⁵³. */
export function entryProblems(entry: JsonObject): string[] {
  const { id, statusPurpose, statusListIndex, statusListCredential, statusSize, statusMessage, statusReference } =
    entry;
  const problems: string[] = [];
  if (textOf(statusPurpose) === undefined || statusPurpose === "") problems.push("statusPurpose must be a text.");
  if (typeof statusListIndex !== "string" || !/^\d{1,15}$/.test(statusListIndex))
    problems.push("statusListIndex must be a whole number, as a text.");
  if (!isUrl(statusListCredential)) problems.push("statusListCredential must be a URL.");
  else if (id === statusListCredential) problems.push("id must not be the URL of the status list.");
  const hasSize = typeof statusSize === "number" && Number.isInteger(statusSize) && statusSize >= 1 && statusSize <= 32;
  if (statusSize !== undefined && !hasSize) problems.push("statusSize must be a number of bits from 1 to 32.");
  if (statusMessage !== undefined && !isMessages(statusMessage, hasSize ? statusSize : 1))
    problems.push("statusMessage must have a message for each value that statusSize allows.");
  if (statusMessage === undefined && (statusPurpose === "message" || (hasSize && statusSize > 1)))
    problems.push("statusMessage must be there for the purpose message, and for a statusSize above 1.");
  if (statusReference !== undefined && !listOf(statusReference).every(isUrl))
    problems.push("statusReference must be a URL or URLs.");
  return problems;
}

function isMessages(messages: Json, size: number): boolean {
  return (
    Array.isArray(messages) &&
    messages.length === 2 ** size &&
    new Set(messages.map((each) => (isObject(each) ? Number(each["status"]) : undefined))).size === messages.length &&
    messages.every(
      (each) =>
        isObject(each) &&
        /^0x[0-9a-f]+$/i.test(textOf(each["status"]) ?? "") &&
        Number(each["status"]) < 2 ** size &&
        textOf(each["message"]) !== undefined,
    )
  );
}

function messageOf(messages: Json | undefined, value: number): string | undefined {
  const found = listOf(messages).find((each): each is JsonObject => isObject(each) && Number(each["status"]) === value);
  return textOf(found?.["message"]);
}
