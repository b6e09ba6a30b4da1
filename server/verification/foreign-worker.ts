import { serveJobs } from "@/server/core/workers/serve-jobs";
import { runForeignJob } from "./foreign-jobs";

// The entry point of a worker process, bundled as .build/foreign-worker.mjs (scripts/build/build-server.mjs).
serveJobs(runForeignJob);
