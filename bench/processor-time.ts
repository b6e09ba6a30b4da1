import { readFileSync, readdirSync } from "node:fs";

/** Ticks of a second in /proc (USER_HZ), the same on all of Linux's usual machines. */
const ticks = 100;

/**
 * The processor time of all processes of PostgreSQL on this machine so far, in seconds, with those that ended: their
 * parent counts them. Linux tells it in /proc/PID/stat (proc_pid_stat(5)).
 */
export function postgresTime(): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat.includes("(postgres)"))
    .map((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" "))
    .flatMap((fields) => fields.slice(11, 15))
    .reduce((sum, each) => sum + Number(each) / ticks, 0);
}

/** The line of a process; empty if it has ended. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
