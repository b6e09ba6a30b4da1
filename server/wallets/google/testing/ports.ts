import { freePort } from "@/scripts/database/ports.mjs";
import { addressesOf } from "./addresses";

// Vitest runs this before each test file: it points the configuration to a stand-in for Google, which a test starts when
// it needs it (stand-in.ts).
Object.assign(process.env, addressesOf(`http://127.0.0.1:${await freePort()}`));
