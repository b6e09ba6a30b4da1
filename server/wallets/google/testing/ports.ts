import { freePort } from "@/scripts/database/ports.mjs";
import { addressesOf } from "./addresses";

// Vitest runs this before each test file: the configuration names a stand-in of Google, which starts where a test needs
// it (stand-in.ts).
Object.assign(process.env, addressesOf(`http://127.0.0.1:${await freePort()}`));
