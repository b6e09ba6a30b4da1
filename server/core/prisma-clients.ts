import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "./generated/client";
import { processState } from "./process-state";
import { OneConnection } from "./sql-connection";
import { guardTenancy, type Db } from "./tenancy-guard";

/** A Prisma client that works on one connection at a time. */
interface Leasable {
  client: Db;
  connection: OneConnection;
}

export interface PrismaLease {
  client: Db;
  /**
   * Ends the lease at the end of the transaction. The client of a failed transaction is not reusable: if one of several
   * concurrent calls failed, the remaining ones must not run in the next transaction.
   */
  end(state: { reusable: boolean }): void;
}

/** How many clients are kept for the next transactions. A rush creates more, which are dropped afterwards. */
const kept = 4;

const { free } = processState("prisma clients", (): { free: Leasable[] } => ({ free: [] }));

/**
 * Leases a Prisma client on the connection of a transaction, until the transaction ends. A client costs 7 ms and about
 * 13 MB, so there are only as many as transactions that use Prisma at the same time (docs/decisions/301).
 */
export function leasePrisma(connection: pg.ClientBase): PrismaLease {
  const leased = free.pop() ?? create();
  leased.connection.use(connection);
  return {
    client: leased.client,
    end({ reusable }) {
      leased.connection.use(undefined);
      if (reusable && free.length < kept) free.push(leased);
    },
  };
}

function create(): Leasable {
  const connection = new OneConnection();
  return { client: guardTenancy(new PrismaClient({ adapter: new PrismaPg(connection) })), connection };
}
