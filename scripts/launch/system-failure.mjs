import { Failure } from "./failure.mjs";

const reasons = {
  EMFILE: [
    "this process has as many files and connections open as it may",
    "raise the limit of open files (ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker), or lower MAX_CONNECTIONS",
  ],
  ENFILE: ["this machine has as many files open as it may", "raise fs.file-max, or end what holds them"],
  ENOMEM: ["this machine has no memory left", "end what uses it, or add some"],
  EACCES: [
    "this user may not read or write there",
    "give the folder and its files back to the user who starts Bonafide",
  ],
  EPERM: [
    "this user may not read or write there",
    "give the folder and its files back to the user who starts Bonafide",
  ],
  ELOOP: ["a link there leads to itself", "remove that link, and put the file back"],
  ENOTDIR: ["a part of that path is a file", "put the folder back"],
  EROFS: ["it is on a read-only file system", "mount it for writing"],
  ENOSPC: ["the disk is full", "make space"],
  EDQUOT: ["the disk quota is used up", "make space, or raise the quota"],
  EIO: ["the disk answers with an error", "look at the system's log"],
  EISDIR: ["a folder is in its place", "move that folder away, and put the file back"],
  ENOENT: ["it is not there, or a link there leads nowhere", "put it back, or remove the link"],
  EEXIST: ["something else is in its place", "move that away"],
};

/**
 * Explains an error of the operating system; returns any other error unchanged.
 *
 * @param {string} wrong what failed, without a full stop
 * @param {any} cause
 */
export function inWords(wrong, cause) {
  const [why, todo] = reasons[cause?.code] ?? [];
  return why ? new Failure(`${wrong}: ${why}.`, `${todo}.`, { detail: cause.message, cause }) : cause;
}
