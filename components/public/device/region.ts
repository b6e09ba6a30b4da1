import type { Region } from "@/server/core/dates";
import { localeIn } from "@/server/core/languages";
import { readersZone } from "../past-moment";
import { language } from "../words";

/** The reader's time zone, and the page's language for times. */
export const readersRegion = (): Region => ({ timeZone: readersZone(), locale: localeIn(language(), "en-GB") });
