import { Download, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { forgetPage, keepPage, keptPage } from "./bundle/browser/kept-pages";
import { PlainButton } from "./plain-button";
import { say } from "./words";

type State = "unsupported" | "not kept" | "keeping" | "kept" | "failed";

/**
 * Keeps the page on this device, so that its last known state can be read offline. Only on demand: a person who checks
 * a credential leaves no copy of it behind.
 */
export function KeepOnDevice({ invites }: { invites: boolean }) {
  const [state, setState] = useState<State>("unsupported");
  useEffect(() => {
    // Browsers offer both only on https and localhost.
    if (!("serviceWorker" in navigator) || !("caches" in window)) return;
    void keptPage(window.location.pathname).then((kept) => setState(kept ? "kept" : "not kept"));
  }, []);

  async function keep() {
    setState("keeping");
    try {
      await navigator.serviceWorker.register("/offline.js", { scope: "/c/" });
      const { href, pathname } = window.location;
      const answer = await fetch(href, { cache: "no-store", headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error("The service does not answer.");
      await keepPage(pathname, await answer.text(), answer.headers);
      setState("kept");
    } catch {
      setState("failed");
    }
  }

  async function forget() {
    await forgetPage(window.location.pathname);
    setState("not kept");
  }

  // Even if the page no longer offers to keep it, an earlier copy can be removed.
  if (state === "unsupported" || (state === "not kept" && !invites)) return null;
  return (
    <div className="mt-4 border-t border-separator pt-4 text-[0.8125rem]" aria-live="polite">
      {state === "kept" ? (
        <>
          <p className="mb-2 text-pretty text-muted">
            {say("Kept on this device. Without a connection, you see what was known when you last opened it.")}
          </p>
          <PlainButton variant="outline" onPress={() => void forget()}>
            <Trash2 aria-hidden="true" /> {say("Remove from this device")}
          </PlainButton>
        </>
      ) : (
        <>
          <PlainButton variant="outline" disabled={state === "keeping"} onPress={() => void keep()}>
            <Download aria-hidden="true" /> {say("Keep on this device")}
          </PlainButton>
          <p className="mt-2 text-xs text-pretty text-muted">
            {state === "failed"
              ? say("It could not be kept: there is no connection, or this browser does not allow it. Try again.")
              : say("For your own credentials, to show them without a connection.")}
          </p>
        </>
      )}
    </div>
  );
}
