import { cron } from "inngest";
import { importPhotos as importNext } from "@/server/photos/import-photos";
import { inngest } from "./client";
import { photosQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** After this time a run queues the next run and ends. */
const withinMs = 10_000;

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
    const until = Date.now() + withinMs;
    let turns = 0;
    while (await importNext(new Date())) {
      turns++;
      if (Date.now() < until) continue;
      await inngest.send(photosQueued.create({}));
      break;
    }
    return { turns };
  },
);
