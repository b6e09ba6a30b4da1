import { reachService } from "../../reach-service";

/**
 * Loads the part for use without a connection: when somebody opens it, or at once on a device that keeps the scanner. It
 * is a bundle of its own, so that nothing of it is in what each visitor loads.
 */
export function startDevice(): void {
  const details = document.querySelector<HTMLDetailsElement>("[data-device]");
  if (!details || !("caches" in window)) return;
  details.hidden = false;
  const load = () => reachService().then(() => import(details.dataset["device"]!));
  details.addEventListener("toggle", () => details.open && void load().catch(() => (details.open = false)));
  void caches.has("bonafide-scanner").then((isKept) => (isKept ? load() : undefined));
}
