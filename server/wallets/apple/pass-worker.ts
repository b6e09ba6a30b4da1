import { serveJobs } from "@/server/core/workers/serve-jobs";
import { buildPass } from "./build-pass";

// The entry point of the worker process, bundled as .build/pass-worker.mjs (scripts/build/build-server.mjs).
serveJobs(buildPass);
