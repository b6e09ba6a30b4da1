import { Download, Trash2, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { PlainButton } from "../plain-button";
import { say } from "../words";
import { AttendancePanel } from "./attendance-panel";
import { IssuerList } from "./issuer-list";
import { forgetIssuer, keptIssuers } from "./issuers";
import { forgetScanner, isScannerKept, keepScanner } from "./scanner-files";

type State = "unsupported" | "not kept" | "keeping" | "kept" | "failed";

const isSupported = () => "serviceWorker" in navigator && "caches" in window;

/** The offline part of the scanner: what this device keeps, and the counts of each place. */
export function DevicePanel() {
  const [state, setState] = useState<State>("unsupported");
  useEffect(() => {
    // Browsers offer both only on https and localhost.
    if (isSupported()) void isScannerKept().then((kept) => setState(kept ? "kept" : "not kept"));
  }, []);

  async function keep() {
    setState("keeping");
    try {
      await navigator.serviceWorker.register("/offline.js", { scope: "/verify" });
      await keepScanner();
      await navigator.storage?.persist?.();
      setState("kept");
    } catch {
      setState("failed");
    }
  }

  async function forget() {
    await forgetScanner();
    for (const { slug } of await keptIssuers()) await forgetIssuer(slug);
    setState("not kept");
  }

  if (state === "unsupported")
    return (
      <p className="text-[0.8125rem] text-muted">
        {say("This browser cannot keep the scanner. It needs the https address of this service.")}
      </p>
    );
  return (
    <div className="space-y-6 text-[0.8125rem]">
      {state === "kept" ? (
        <>
          <p className="text-pretty text-muted">
            {say(
              "The scanner is kept on this device and opens without a connection. Add this page to the home screen to have it as an app. Signed QR codes are checked with the keys and lists below; a plain code is kept until there is a connection.",
            )}
          </p>
          <IssuerList />
          <AttendancePanel />
          <PlainButton variant="outline" onPress={() => void forget()}>
            <Trash2 aria-hidden="true" /> {say("Remove the scanner from this device")}
          </PlainButton>
        </>
      ) : (
        <div aria-live="polite">
          <p className="mb-3 text-pretty text-muted">
            {say(
              "For gates and halls without a network: this device keeps the scanner, and the keys and lists of the issuers whose credentials you check.",
            )}
          </p>
          <PlainButton variant="outline" disabled={state === "keeping"} onPress={() => void keep()}>
            <Download aria-hidden="true" /> {say("Keep the scanner on this device")}
          </PlainButton>
          {state === "failed" && (
            <p className="mt-2 flex gap-2 text-pretty">
              <WifiOff className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
              {say("It could not be kept: there is no connection, or this browser does not allow it. Try again.")}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
