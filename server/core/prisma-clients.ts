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
   * Ends the lease, at the end of the transaction. A client whose transaction failed is not reusable: of several calls
   * at once the first may have failed, and what is left of the others must not reach the next transaction.
   */
  end(state: { reusable: boolean }): void;
}

/** Clients that stay for the next transactions. More come and go with a rush. */
const kept = 4;

const { free } = processState("prisma clients", (): { free: Leasable[] } => ({ free: [] }));

/**
 * A Prisma client on the connection of a transaction, for as long as the transaction runs. A client costs 7 ms and some
 * 13 MB, so there are only as many as transactions use Prisma at the same moment (docs/decisions/301).
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
