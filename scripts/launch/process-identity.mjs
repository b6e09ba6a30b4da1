import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns when a process began. This distinguishes it from a later process with the same id: after a restart of the
 * machine or container, another process may have it. Undefined if there is no such process.
 *
 * @param {number} pid
 * @throws if the system cannot answer now, for example without a free descriptor. The process may be alive then.
 */
export function identityOf(pid) {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid) {
  try {
    const fields = statOf(pid);
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
  } catch (error) {
    return noneOr(error);
  }
}

/** The fields after the process name: state, parent, group, and so on. The 20th is the start in ticks. */
function statOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may contain blanks and parentheses.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function fromPs(pid) {
  try {
    return (
      execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim() || undefined
    );
  } catch (error) {
    return noneOr(error);
  }
}

/** The command line of a process; undefined if it has ended, or is hidden from this user. */
export function commandOf(pid) {
  try {
    return process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch (error) {
    return noneOr(error);
  }
}

/** The system says that there is no such process, or none that we may see. `ps` says so with its exit code. */
function noneOr(error) {
  if ([undefined, "ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return undefined;
  throw error;
}

export const self = () => ({ pid: process.pid, identity: identityOf(process.pid) });

/** Whether the process that `self()` described still lives. */
export const lives = ({ pid, identity }) => identity !== undefined && identityOf(pid) === identity;

/**
 * Whether the process that `self()` described, or one of the process group that it heads, still lives. While a process
 * of the group lives, the system does not reuse its number.
 */
export function groupLives({ pid, identity }) {
  if (lives({ pid, identity })) return true;
  if (process.platform === "win32" || identityOf(pid) !== undefined) return false;
  if (process.platform === "linux")
    return readdirSync("/proc").some((name) => /^\d+$/.test(name) && groupOf(name) === pid);
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Undefined for a process that has ended, even if its exit code was not read. */
function groupOf(pid) {
  try {
    const [state, , group] = statOf(pid);
    return state === "Z" || state === "X" ? undefined : Number(group);
  } catch (error) {
    return noneOr(error);
  }
}
