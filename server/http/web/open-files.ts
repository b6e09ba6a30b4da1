import { readFileSync } from "node:fs";

/** For what is open beside the connections of clients: the database, files, outgoing requests, logs. */
const reserved = 256;

/**
 * How many connections of clients this process can hold. Where it ran out of descriptors, it could reach neither its
 * database nor its files.
 * @param wanted MAX_CONNECTIONS
 * @param openFiles how many files the system lets this process have open
 */
export function affordableConnections(wanted: number, openFiles = limitOfOpenFiles()): number {
  return Math.max(10, Math.min(wanted, openFiles - Math.min(reserved, Math.floor(openFiles / 2))));
}

/**
 * The soft limit, which holds. Node has raised it to the hard one at its start. Infinity where the system does not say
 * it so.
 */
export function limitOfOpenFiles(limits = "/proc/self/limits"): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(limits, "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
