import { serveJobs } from "@/server/core/workers/serve-jobs";
import { buildPass } from "./build-pass";
import { readPkcs12 } from "./read-pkcs12";
import type { SigningJob } from "./sign-pass";

// The entry point of the worker process, bundled as .build/pass-worker.mjs (scripts/build/build-server.mjs).
serveJobs(async (job: SigningJob) => ("pkcs12" in job ? readPkcs12(job) : buildPass(job)));
