import type { PrismaClient } from "./generated/client";

/** Prisma without the methods that would leave our transaction or our pool. */
export type Db = Omit<PrismaClient, "$transaction" | "$connect" | "$disconnect" | "$extends" | "$on">;

/** Models without an organisation, or with some rows without one. */
const unscoped = new Set(["Organisation", "User", "OneTimeLink", "AccessToken"]);

/**
 * Makes a client that refuses Prisma calls whose `where` or `data` lacks orgId. If the key of a model begins with
 * orgId, findUnique, update and delete without it do not compile; findMany, updateMany, deleteMany and count do, and
 * are refused here when they run. It sees only Prisma's calls. Tests check SQL:
 * server/testing/tenancy/unbound-tables.ts.
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
