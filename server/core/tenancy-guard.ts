import type { PrismaClient } from "./generated/client";

/** Prisma without what would leave our transaction or our pool. */
export type Db = Omit<PrismaClient, "$transaction" | "$connect" | "$disconnect" | "$extends" | "$on">;

/** Models of no organisation, or of which some rows are of none. */
const unscoped = new Set(["Organisation", "User", "OneTimeLink", "AccessToken"]);

/**
 * Refuses a Prisma call whose `where` or `data` lacks orgId. Where the key begins with it, findUnique, update and
 * delete without it do not compile either; findMany, updateMany, deleteMany and count do, and are refused here when
 * they run. This sees Prisma's calls alone. SQL is checked by the tests: server/testing/tenancy/unbound-tables.ts.
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
