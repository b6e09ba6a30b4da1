import { serveJobs } from "@/server/core/workers/serve-jobs";
import { runForeignJob } from "./foreign-jobs";

// What a worker process runs: bundled as .build/foreign-worker.mjs (scripts/build-server.mjs).
serveJobs(runForeignJob);
