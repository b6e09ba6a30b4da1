import { NotSent } from "@/components/console/online";
import type { Problem } from "@/components/problem";
import { shownOrganisation } from "./client";

/** A refusal in the form in which the console's calls throw refusals (components/problem.ts). */
class Refused extends Error {
  constructor(readonly data: { problem: Problem }) {
    super(data.problem.detail);
  }
}

/**
 * Streams a file as the body of a request, and returns the answer's JSON. XMLHttpRequest reports the progress of an
 * upload; fetch does not.
 *
 * @param onProgress called with the share that was sent, from 0 to 1
 * @throws Refused, or an error of the network
 */
export function sendFile<O>(path: string, file: File, onProgress: (share: number) => void): Promise<O> {
  if (!navigator.onLine) return Promise.reject(new NotSent("The browser is offline"));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("content-type", "application/zip");
    const organisation = shownOrganisation();
    if (organisation) request.setRequestHeader("x-organisation", organisation);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new Error("The connection broke off"));
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status < 300 && answer !== undefined) resolve(answer as O);
      else if (answer) reject(new Refused({ problem: answer as Problem }));
      else reject(new Error(`Answered ${request.status}`));
    };
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
