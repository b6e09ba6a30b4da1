import type { Ctx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { newPublicId, noOrganisation, readId, type Id, type Telling } from "@/server/core/ids";
import { personScopes, scopes } from "@/server/core/scopes";

interface Option {
  about: string;
  required?: boolean;
}

/** A command of the operator: its options, its action, and how to print its answer. */
export interface Command<Answer = never> {
  about: string;
  options: Record<string, Option>;
  run(options: Record<string, string>): Promise<Answer>;
  say(answer: Answer): string;
  /** True if the answer means that the command was refused or is not finished: exit code 1. */
  refused?(answer: Answer): boolean;
}

/** Thrown if the command was not understood: exit code 2. */
export class Usage extends Error {}

export const orgOption = { org: { about: "the organisation's id or slug", required: true } };

/** Defines a command, so that TypeScript uses one answer type for `run` and `say`. */
export function define<Answer>(command: Command<Answer>): Telling<Command, Answer> {
  return command as Command<unknown> as Telling<Command, Answer>;
}

/** Builds the operator's context, with every scope, in the organisation with this id or slug if one is given. */
export async function operator(org?: string): Promise<Ctx> {
  return {
    orgId: org === undefined ? noOrganisation : await findOrganisation(org),
    actor: { type: "operator", id: "cli" },
    scopes: new Set([...scopes, ...personScopes]),
    requestId: newPublicId("req"),
    now: new Date(),
  };
}

async function findOrganisation(idOrSlug: string): Promise<Id<"org">> {
  const [found] = await sql<{ id: Id<"org"> }>(`SELECT id FROM organisations WHERE id = $1 OR slug = $2`, [
    readId("org", idOrSlug),
    idOrSlug,
  ]);
  if (!found)
    throw new DomainError(
      "not_found",
      `There is no organisation with the id or slug ${JSON.stringify(idOrSlug)}. See: org list`,
    );
  return found.id;
}

/** Reads all pages of a list. */
export async function wholeList<T>(
  list: (ctx: Ctx, input: { limit: number; cursor?: string }) => Promise<{ data: T[]; nextCursor: string | null }>,
  ctx: Ctx,
): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { data: T[]; nextCursor: string | null } = await list(ctx, { limit: 100, ...(cursor && { cursor }) });
    found.push(...page.data);
    cursor = page.nextCursor;
  }
  return found;
}

export function usage(commands: Record<string, Command>): string {
  const rows = Object.entries(commands).map(([name, { about, options }]) => {
    const written = Object.entries(options).map(([o, { required }]) => (required ? `--${o} …` : `[--${o} …]`));
    const explained = Object.entries(options).map(([o, { about: what }]) => `      --${o}  ${what}`);
    return [`  ${[name, ...written].join(" ")}`, `      ${about}`, ...explained].join("\n");
  });
  return `Usage: npm run admin -- <command> [--json]\n\n${rows.join("\n\n")}`;
}
