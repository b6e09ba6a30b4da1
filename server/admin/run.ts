import { parseArgs } from "node:util";
import { closeDb } from "@/server/core/db";
import { EnvError } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { commands } from "./commands";
import { Usage, usage, type Command } from "./command";

/** Where the commands write: the streams of the process, or those of a test. */
interface Streams {
  out(text: string): void;
  err(text: string): void;
}

const streams: Streams = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
};

/**
 * Runs a command of the operator, such as `org create --name … --slug …`. With --json the answer is one line of JSON.
 *
 * @returns the exit code: 0; 1 if the service refused, failed or did not finish; 2 if the command was not understood.
 */
export async function runAdmin(args: string[], { out, err }: Streams = streams): Promise<number> {
  try {
    if (args.length === 0 || args.includes("--help")) return (out(usage(commandsNamed(args))), 0);
    const { command, options, json } = read(args);
    const answer = await command.run(options);
    out(json ? JSON.stringify(answer) : command.say(answer));
    return command.refused?.(answer) ? 1 : 0;
  } catch (error) {
    return report(error, err);
  } finally {
    await closeDb();
  }
}

/** Returns the commands whose names begin with these words: one for a full name, all for an unknown name. */
function commandsNamed(args: string[]): Record<string, Command> {
  const name = wordsOf(args).join(" ");
  const exact = commands[name];
  if (exact) return { [name]: exact };
  const named = Object.entries(commands).filter(([each]) => each.startsWith(`${name} `));
  return named.length > 0 ? Object.fromEntries(named) : commands;
}

/** The words before the first option. */
function wordsOf(args: string[]): string[] {
  const flags = args.findIndex((arg) => arg.startsWith("-"));
  return flags === -1 ? args : args.slice(0, flags);
}

function read(args: string[]): { command: Command; options: Record<string, string>; json: boolean } {
  const words = wordsOf(args);
  const name = words.join(" ");
  const command = commands[name];
  if (!command) throw new Usage(`There is no command ${JSON.stringify(name)}.\n\n${usage(commands)}`);
  const known = Object.fromEntries(Object.keys(command.options).map((name) => [name, { type: "string" as const }]));
  const { json, ...values } = parse(withValues(args.slice(words.length), known), known);
  const options = values as Record<string, string>;
  const missing = Object.entries(command.options).filter(([name, { required }]) => required && !options[name]);
  if (missing.length > 0)
    throw new Usage(`Missing: ${missing.map(([name]) => `--${name}`).join(", ")}.\n\n${usage({ [name]: command })}`);
  return { command, options, json: json === true };
}

/** Joins an option and its value, so that a value such as -5 is read by the command and not as another option. */
function withValues(args: string[], options: Record<string, unknown>): string[] {
  const joined: string[] = [];
  for (let n = 0; n < args.length; n++) {
    const [arg, value] = [args[n]!, args[n + 1]];
    const isNegative = value !== undefined && /^-\d/.test(value) && arg.startsWith("--") && arg.slice(2) in options;
    joined.push(isNegative ? `${arg}=${value}` : arg);
    if (isNegative) n++;
  }
  return joined;
}

function parse(args: string[], options: Record<string, { type: "string" }>) {
  try {
    return parseArgs({
      args,
      options: { ...options, json: { type: "boolean" } },
      strict: true,
      allowPositionals: false,
    }).values;
  } catch (error) {
    throw new Usage((error as Error).message);
  }
}

function report(error: unknown, err: Streams["err"]): number {
  if (error instanceof Usage) return (err(error.message), 2);
  if (error instanceof DomainError || error instanceof EnvError) return (err(error.message), 1);
  const { code, message } = error as { code?: string; message?: string };
  err(
    code === "ECONNREFUSED"
      ? "The database cannot be reached. Is the service, or its PostgreSQL, running?"
      : `Failed: ${message}`,
  );
  return 1;
}
