import { z } from "zod";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { publicId } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { bodyWithSequence } from "./body";
import { eventView } from "./view";

/** Reads one event of the log: from its numbering, milliseconds after its commit, until it expires. */
export const getEvent = query({
  name: "events.get",
  scope: "events:read",
  input: z.strictObject({ id: id("evt") }),
  async run(ctx, input) {
    const [row] = await reading(ctx).sql<{ body: string }>(
      `SELECT ${bodyWithSequence("e.body", "l.sequence")} AS body FROM event_log l JOIN events e ON e.org_id = l.org_id AND e.id = l.id
       WHERE l.org_id = ${opaque("$1")} AND l.id = $2`,
      [ctx.orgId, input.id],
    );
    if (!row) throw notFound("event", publicId("evt", input.id));
    return eventView(row);
  },
});
