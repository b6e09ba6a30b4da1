import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { inProject, root } from "../launch/paths.mjs";

/**
 * Reads the configuration of server/core/env.ts from the environment and the .env file, and checks it before anything
 * starts. Values that `npm start` sets itself may be missing.
 *
 * @param {"production" | "development"} mode
 */
export async function readConfiguration(mode) {
  if (existsSync(inProject(".env"))) process.loadEnvFile(inProject(".env"));
  process.env.NODE_ENV = mode;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const { parseEnv } = await import("../../.build/env.mjs");
  const settledLater = {
    DATABASE_URL: "postgresql://embedded",
    BONAFIDE_SECRET: "-".repeat(32),
    PUBLIC_URL: "http://localhost",
  };
  const present = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
  const env = parseEnv({ ...settledLater, ...present });
  return {
    dataDirectory: resolve(root, env.DATA_DIR),
    databaseUrl: present.DATABASE_URL,
    host: env.HOST,
    port: env.PORT,
    sftpPort: env.SFTP_PORT,
    publicUrl: present.PUBLIC_URL && env.PUBLIC_URL,
  };
}
