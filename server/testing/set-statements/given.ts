import { type Store } from "@/inngest/embedded/store";
import { publicId, type Id, type IdPrefix } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import type { BulkAction } from "@/server/credentials/bulk-actions";
import type { Ctx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { storedIds } from "@/server/testing/sql";
import { idOf, isOrdinary, type Home, type Span } from "./rows";
import { type World } from "../world";

/** A call that passes a set to statements, and how many rows it passes. */
export interface Call {
  name: string;
  given: number;
  /** Limit of rows read for each given row, for calls that write more than usual for each. */
  each?: number;
  run: () => Promise<unknown>;
}

/**
 * Runs a statement of a call itself, between the statements under test. It is planned without its values, as in all
 * transactions, so that it reads few rows whatever PostgreSQL's statistics say.
 */
export const arrange: Query = (text, values = []) => transaction((tx) => tx.sql(text, storedIds(values) as unknown[]));

/** The rows of the organisation beside which the others are walked. */
export const others: Span = { from: 100_001, to: 300_000 };

/** What the calls of an organisation refer to. */
export interface Prepared {
  world: World;
  home: Home;
  /** A template of which nobody holds a credential. */
  vacant: string;
  /** A template whose holders confirm their names, of which nobody holds a credential. */
  asking: string;
  /** An academic template. */
  degree: string;
  /** A static group without members, and a rule group that matches nobody. */
  groups: { empty: string; ruled: string };
  at: Date;
  store: Store;
  /** What one walk leaves for the next of the same organisation. */
  kept: { directoryGroupId?: string };
}

/** The existing rows that the calls of one walk are given. */
export class Given {
  next: number;
  readonly ctx: Ctx;
  readonly orgId: Id<"org">;
  readonly home: Home;
  readonly vacant: string;
  readonly asking: string;
  readonly degree: string;
  readonly groups: Prepared["groups"];
  readonly at: Date;
  readonly store: Store;
  readonly kept: Prepared["kept"];
  readonly everybody: string;
  /** One evaluation of a rule reads 20,000 people. */
  readonly window: number;
  readonly many: number;
  readonly later: Date;
  readonly endpoints: Id<"whe">[];
  readonly suspended: { id: string; reason: string }[];
  readonly written: { externalId: string; displayName: string }[];

  /** @param n how many rows each call is given. */
  constructor(
    prepared: Prepared,
    readonly span: Span,
    readonly n: number,
  ) {
    this.ctx = prepared.world.ctx;
    this.orgId = prepared.world.orgId;
    this.home = prepared.home;
    this.vacant = prepared.vacant;
    this.asking = prepared.asking;
    this.degree = prepared.degree;
    this.groups = prepared.groups;
    this.at = prepared.at;
    this.store = prepared.store;
    this.kept = prepared.kept;
    this.everybody = publicId("grp", prepared.home.groupId);
    this.window = Math.min(span.to - span.from, 20_000);
    this.many = Math.floor((span.to - span.from) / 200);
    this.later = new Date(prepared.at.getTime() + 60_000);
    this.next = span.from;
    this.endpoints = [...new Set(this.tenths("whe"))];
    this.suspended = this.ids("crd").map((id) => ({ id, reason: "r" }));
    this.written = this.numbers().map((each) => ({ externalId: `x-${each}`, displayName: "y" }));
  }

  // A rule that uses groups and texts of a list. Each call gets a different one, so that it is evaluated again.
  readonly rule = (value: string[]) => ({
    any: [
      { field: "externalId", op: "in", value },
      {
        all: [
          { field: "groups", op: "exists" },
          { field: "groups", op: "in", value: [this.everybody] },
          { field: "groups", op: "notIn", value: [this.groups.empty] },
          { field: "email", op: "exists" },
        ],
      },
    ],
  });

  readonly bulk = (action: BulkAction, items: object[]) => () => bulkCredentials(this.ctx, { action, items });

  readonly ids = (prefix: IdPrefix, some = this.n) =>
    this.numbers(some).map((each) => publicId(prefix, idOf(prefix, each, this.at)));

  readonly tenths = <P extends IdPrefix>(prefix: P, some = this.n) =>
    this.numbers(some).map((each) => idOf(prefix, Math.ceil(each / 10), this.at));

  /** Returns ordinary rows, at a distance from one another, that no earlier call was given. */
  readonly numbers = (some = this.n): number[] => {
    const { from, to } = this.span;
    const found: number[] = [];
    while (found.length < some) {
      this.next += 7;
      if (this.next > to) this.next = from + (this.next - to);
      if (isOrdinary(this.next)) found.push(this.next);
    }
    return found;
  };
}
