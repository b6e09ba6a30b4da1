import { reachService } from "../../reach-service";

/**
 * Loads the offline part of the scanner: when somebody opens it, or at once on a device that keeps the scanner. It is a
 * separate bundle, so that other visitors do not load it.
 */
export function startDevice(): void {
  const details = document.querySelector<HTMLDetailsElement>("[data-device]");
  if (!details || !("caches" in window)) return;
  details.hidden = false;
  const load = () => reachService().then(() => import(details.dataset["device"]!));
  details.addEventListener("toggle", () => details.open && void load().catch(() => (details.open = false)));
  void caches.has("bonafide-scanner").then((isKept) => (isKept ? load() : undefined));
}
