import { serveJobs } from "@/server/core/workers/serve-jobs";
import { runDrawingJob } from "./jobs";

// The program of a worker process, bundled as .build/drawing-worker.mjs (scripts/build/build-server.mjs).
serveJobs(runDrawingJob);
