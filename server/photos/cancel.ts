import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { endImport } from "./end";
import { importView, loadImport } from "./view";

/** Cancels an import of photos: photos that were set stay, the rest is never set. Leaves an audit entry. */
export const cancelPhotoImport = command({
  name: "photos.imports.cancel",
  scope: "subjects:write",
  input: z.strictObject({ id: id("phi") }),
  async run(ctx, input) {
    // Waits for the photo in progress, whose transaction holds the lock on the row.
    const row = await loadImport(ctx, input.id, "FOR UPDATE");
    if (row.status === "cancelled") return importView(row);
    if (row.status === "completed" || row.status === "stopped")
      throw new DomainError("job_finished", "The import has finished; there is nothing left to cancel.");
    return importView(await endImport(ctx, row.id, { status: "cancelled" }));
  },
});
