import { serveJobs } from "@/server/core/workers/serve-jobs";
import { buildPass } from "./build-pass";
import { openKey } from "./open-key";
import type { SigningJob } from "./sign-pass";

// The entry point of the worker process, bundled as .build/pass-worker.mjs (scripts/build/build-server.mjs).
serveJobs(async (job: SigningJob) => ("document" in job ? buildPass(job) : openKey(job)));
