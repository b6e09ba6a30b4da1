import { cron } from "inngest";
import { importPhotos as importNext } from "@/server/photos/import-photos";
import { inngest } from "./client";
import { photosQueued } from "./events";
import { tellFailure } from "./tell-failure";
import { workByTurns } from "./turn";

/**
 * Imports archives of photos, some photos of each organisation in turn, until none is due. The cron finds imports of a
 * process that was killed, and those that waited because the server was busy.
 */
export const importPhotos = inngest.createFunction(
  {
    id: "import-photos",
    retries: 3,
    onFailure: tellFailure,
    triggers: [photosQueued, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const steps = await workByTurns(
      () => importNext(new Date()),
      () => inngest.send(photosQueued.create({})),
    );
    return { steps };
  },
);
