import { VerifyTool } from "@/components/public/verify-tool";
import { takeWords } from "@/components/public/words";
import { hydrateIslands, propertiesOf } from "./islands";
import { loadAnswers } from "./lazy-answer";
import { startDevice } from "./start-device";

// The script of /verify.

takeWords();
const tool = document.querySelector<HTMLElement>("[data-island=verify]");
const load = () => loadAnswers().catch(() => undefined);
// An answer that came with the page is hydrated at once. Without one, the module that shows answers loads when somebody
// begins to check something.
if (tool && propertiesOf<{ answer: unknown }>(tool).answer !== null) await load();
hydrateIslands(document, { verify: VerifyTool });
startDevice();
for (const beginning of ["focusin", "pointerdown"]) tool?.addEventListener(beginning, load, { once: true });
