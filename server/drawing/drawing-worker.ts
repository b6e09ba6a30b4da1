import { serveJobs } from "@/server/core/workers/serve-jobs";
import { runDrawingJob } from "./jobs";

// The entry point of a worker process, bundled as .build/drawing-worker.mjs (scripts/build/build-server.mjs).
serveJobs(runDrawingJob);
