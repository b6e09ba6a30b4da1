import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";
import { isPdf, readAttachedPdf } from "@/server/standards/baking/pdf";
import { isPng, readBakedPng } from "@/server/standards/baking/png";
import { isSvg, readBakedSvg } from "@/server/standards/baking/svg";
import { Invalid } from "@/server/standards/failure";
import type { Surroundings } from "@/server/standards/surroundings";
import { checkStatuses } from "@/server/standards/verify/check-status";
import { otherFile } from "@/server/standards/verify/other-kinds";
import { maxJwtCharacters } from "@/server/standards/verify/read-credential";
import { examineCredential } from "@/server/standards/verify/verify-credential";
import { requestKey, type ForeignJobs, type Job, type JobName, type Outside, type Round } from "./foreign-messages";

const jobs: { [Name in JobName]: (given: ForeignJobs[Name]["given"]) => Promise<ForeignJobs[Name]["result"]> } = {
  read: async ({ bytes }) => {
    try {
      const credential = credentialIn(bytes);
      if (credential.length > maxJwtCharacters)
        throw new Invalid("The text is too long for a credential: it may have 1 MB, pictures in it included.");
      return { credential };
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      return { malformed: error.message };
    }
  },
  examine: ({ credential, ...outside }) =>
    round(outside, (surroundings) => examineCredential(credential, surroundings)),
  statuses: ({ document, ...outside }) => round(outside, (surroundings) => checkStatuses(document, surroundings)),
};

/**
 * Runs one job on untrusted bytes, in a worker process (foreign-worker.ts). A job makes no requests: `answers` holds
 * the documents from the network. If one is missing, the result names it; the caller fetches it and runs the job again.
 */
export const runForeignJob = ({ name, given }: Job): Promise<unknown> => jobs[name](given as never);

/** Does the work with the documents in `answers`; returns the missing ones instead if there are any. */
async function round<Done>(
  { now, locale, answers, ownUrls }: Outside,
  work: (surroundings: Surroundings) => Promise<Done>,
): Promise<Round<Done>> {
  const wanted = new Map<string, OutboundRequest>();
  const request = async (asked: OutboundRequest): Promise<OutboundResult> => {
    const key = requestKey(asked);
    const answer = answers[key];
    if (answer) return answer;
    wanted.set(key, asked);
    throw new Error("This document has to be fetched first.");
  };
  try {
    const done = await work({ now, locale, request, isOwn: (url) => ownUrls.includes(url) });
    if (wanted.size === 0) return { done };
  } catch (error) {
    if (wanted.size === 0) throw error;
  }
  return { wanted: [...wanted.values()] };
}

/** @throws Invalid */
function credentialIn(bytes: Uint8Array): string {
  if (isPng(bytes)) return readBakedPng(bytes);
  if (isPdf(bytes)) return readAttachedPdf(bytes);
  const other = otherFile(bytes);
  if (other) throw new Invalid(other);
  let text: string;
  try {
    text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Invalid(
      "This file is no picture (PNG or SVG), no PDF and no text in UTF-8. If it is a text, save it as UTF-8 and choose it again.",
      { cause: error },
    );
  }
  return isSvg(bytes) ? readBakedSvg(text) : text;
}

/** The encoding of a text: UTF-16 if it begins with a byte order mark, which Windows writes, else UTF-8. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
