import type { Db } from "./db";
import type { PrismaClient } from "./generated/client";

/** Models that are not of one organisation, or that find it. */
const unscoped = new Set(["Organisation", "User", "OneTimeLink", "AccessToken"]);

/**
 * Refuses a Prisma call that is not bound to an organisation. The composite keys make most of these fail to compile;
 * this catches the rest (findMany, updateMany, deleteMany, count) at their first run.
 */
export function guardTenancy(client: PrismaClient): Db {
  return client.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          if (!unscoped.has(model) && !isScoped(args as Scoped)) {
            throw new Error(`${model}.${operation} is not bound to an organisation: orgId is missing`);
          }
          return query(args);
        },
      },
    },
  }) as unknown as Db;
}

interface Scoped {
  where?: Record<string, unknown>;
  data?: Record<string, unknown> | Record<string, unknown>[];
}

function isScoped({ where, data }: Scoped): boolean {
  if (where) return holdsOrg(where) || Object.values(where).some((v) => holdsOrg(v as Record<string, unknown>));
  return Array.isArray(data) ? data.every(holdsOrg) : holdsOrg(data);
}

function holdsOrg(value: Record<string, unknown> | null | undefined): boolean {
  return typeof value === "object" && value !== null && typeof value["orgId"] === "string";
}
