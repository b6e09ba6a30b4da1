import { serveJobs } from "@/server/core/workers/serve-jobs";
import { putTogether } from "./put-together";

// The program of a worker process, bundled as .build/pass-worker.mjs (scripts/build/build-server.mjs).
serveJobs(putTogether);
