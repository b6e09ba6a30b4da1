import { VerifyDesk } from "@/components/public/verify-desk";
import { takeWords } from "@/components/public/words";
import { hydrateIslands, propertiesOf } from "./islands";
import { loadAnswers } from "./lazy-answer";
import { startDevice } from "./start-device";

// The script of /verify.

takeWords();
const desk = document.querySelector<HTMLElement>("[data-island=desk]");
const load = () => loadAnswers().catch(() => undefined);
// An answer that came with the page is brought to life as it stands; without one, what shows answers can wait until
// somebody begins to check.
if (desk && propertiesOf<{ answer: unknown }>(desk).answer !== null) await load();
hydrateIslands(document, { desk: VerifyDesk });
startDevice();
for (const beginning of ["focusin", "pointerdown"]) desk?.addEventListener(beginning, load, { once: true });
