import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * What tells a process from a later one with the same number: when it began, as the system says it; undefined for one
 * that does not live. A number alone would do harm: after a restart of the machine or container it is another's.
 * @param {number} pid
 * @throws where that cannot be found out now (no descriptor is free, for example): such a process is not a dead one
 */
export function identityOf(pid) {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold blanks and parentheses itself. Then: state, ..., the 20th is the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
  } catch (error) {
    return noneOr(error);
  }
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

/** The command with which the process was started; undefined where it does not live, or is hidden from this user. */
export function commandOf(pid) {
  try {
    return process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch (error) {
    return noneOr(error);
  }
}

/**
 * The system says that there is no such process, or none for us; `ps` says it with its exit code, without an error
 * code.
 */
function noneOr(error) {
  if ([undefined, "ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return undefined;
  throw error;
}

export const self = () => ({ pid: process.pid, identity: identityOf(process.pid) });

/** Whether the process that `self()` described still lives. */
export const lives = ({ pid, identity }) => identity !== undefined && identityOf(pid) === identity;
