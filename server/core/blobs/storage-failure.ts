import { DomainError } from "../errors";
import { log } from "../log";

/** The error codes of a disk that is full, broken, read-only or not writable for us. */
const codes = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "ENOTDIR", "EEXIST"]);

/** Turns a failure of the disk into a DomainError `unavailable`; returns any other error unchanged. */
export function storageFailure(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: string };
  if (code === undefined || !codes.has(code)) return error;
  log().error({ err: error }, "the file store failed");
  const cause = code === "ENOSPC" || code === "EDQUOT" ? "its disk is full" : "it cannot write to its disk";
  return storeUnavailable(
    `The server cannot store files at the moment: ${cause}. Nothing was changed. Try again later.`,
  );
}

export function storeUnavailable(detail: string): DomainError {
  return new DomainError("unavailable", detail, { headers: { "retry-after": "30" } });
}
