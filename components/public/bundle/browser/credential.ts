import { takeWords } from "@/components/public/words";
import { CopyCode } from "@/components/public/copy-code";
import { KeepOnDevice } from "@/components/public/keep-on-device";
import { Share } from "@/components/public/share-actions";
import { hydrateIslands } from "./islands";
import { LiveDecision } from "./live-decision";
import { removeBrokenPortraits } from "./portraits";
import { openQrFullScreen } from "./qr-full-screen";

// The script of a credential's page, and of the page for a code that does not exist.

const islands = { decision: LiveDecision, "copy-code": CopyCode, share: Share, keep: KeepOnDevice };

takeWords();
hydrateIslands(document, islands);
document.addEventListener("bonafide:main", ({ target }) => hydrateIslands(target as Element, islands));
openQrFullScreen();
removeBrokenPortraits();
// A signed QR code leads here with its statement after the #. The statement is removed from the address, so that nobody
// passes it on.
if (window.location.hash !== "")
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
