import { readFileSync } from "node:fs";

/** File descriptors to keep for everything but client connections: database, files, outgoing requests, logs. */
const reserved = 256;

/**
 * Returns how many client connections this process can hold. Without free file descriptors it could reach neither its
 * database nor its files.
 * @param wanted MAX_CONNECTIONS
 * @param openFiles how many files the system lets this process have open
 */
export function affordableConnections(wanted: number, openFiles = limitOfOpenFiles()): number {
  return Math.max(10, Math.min(wanted, openFiles - Math.min(reserved, Math.floor(openFiles / 2))));
}

/**
 * Reads the soft limit of open files, which is the one that applies; Node raises it to the hard limit at its start.
 * Infinity if the system does not report it in this form.
 */
export function limitOfOpenFiles(limits = "/proc/self/limits"): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(limits, "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
