import type { Region } from "@/server/core/dates";
import { readersZone } from "../past-moment";

/** The reader's time zone; times are written as the rest of these pages is, in English. */
export const readersRegion = (): Region => ({ timeZone: readersZone(), locale: "en-GB" });
