import { readFileSync, readdirSync } from "node:fs";

/** Ticks of a second in /proc (USER_HZ); 100 on x86-64 and arm64. */
const ticks = 100;

/**
 * The processor time of all processes of PostgreSQL on this machine so far, in seconds. The time of a process that has
 * ended is included, because Linux adds it to its parent's. Read from /proc/PID/stat (proc_pid_stat(5)).
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

/** The content of /proc/PID/stat; empty if the process has ended. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
