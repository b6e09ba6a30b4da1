"use client";
import { Camera, FileImage, X } from "lucide-react";
import { useEffect, useId, useRef, useSyncExternalStore, type ReactNode } from "react";
import { Notice } from "@/components/ui/notice";
import type { ScanTrouble } from "./camera";
import { PlainButton } from "./plain-button";
import { useScanner } from "./use-scanner";
import { say } from "./words";

const troubles: Record<ScanTrouble, { title: string; help: string }> = {
  insecure: {
    title: "The camera works over https alone",
    help: "Open this page under its https address, or type the code instead.",
  },
  denied: {
    title: "The camera is not allowed",
    help: "Allow it for this page in the browser’s settings, near the address, and try again. Or type the code.",
  },
  none: { title: "There is no camera", help: "Type the code, or choose a picture of it." },
  busy: { title: "The camera is in use", help: "Close what else uses it, and try again." },
  decoder: { title: "The scanner could not be loaded", help: "Check the connection and try again, or type the code." },
  failed: { title: "The camera could not be started", help: "Try again, or type the code." },
};

const never = () => () => undefined;

interface Props {
  /** Called with a scanned text. */
  take(text: string): void;
  /** Called with a chosen file. */
  choose(file: File): void;
  /** Called when the next person's turn begins: the earlier answer must disappear. */
  onStart(): void;
  onScanning(isScanning: boolean): void;
  /** The result of the last read, shown above the camera. */
  children: ReactNode;
}

/**
 * Scans codes one after the other with the camera, or reads a picture or file. Only shown if scripts run; the form
 * above works without them.
 */
export function CodeScanner({ take, choose, onStart, onScanning, children }: Props) {
  const running = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const pictureId = useId();
  const { phase, isSeveral, video, start, stop } = useScanner(take);
  const isLooking = phase.at === "starting" || phase.at === "scanning";
  const tell = useRef(onScanning);
  useEffect(() => void (tell.current = onScanning));
  useEffect(() => tell.current(isLooking), [isLooking]);

  // Keeps the place of the two buttons, so that nothing below moves when scripts run.
  if (!running) return <div className="mt-5 h-31.25 border-t sm:h-17.25 noscript:hidden" />;
  return (
    <div className={isLooking ? "" : "mt-5 border-t pt-5"}>
      {isLooking ? (
        <div className="space-y-4">
          {children}
          <div className="relative mx-auto aspect-square max-h-[42dvh] w-full max-w-md overflow-hidden rounded-xl bg-black">
            <video
              ref={video}
              autoPlay
              muted
              playsInline
              className="size-full object-cover"
              aria-label={say("What the camera sees")}
            />
            <div
              className="pointer-events-none absolute inset-[16%] rounded-2xl border-[3px] border-white/90 shadow-[0_0_0_100vmax_rgb(0_0_0/35%)]"
              aria-hidden="true"
            />
          </div>
          <p className="mt-3 text-center text-[0.8125rem] text-pretty text-muted" aria-live="polite">
            {phase.at === "starting"
              ? say("Starting the camera…")
              : isSeveral
                ? say("Several codes: show one at a time.")
                : say("Hold the QR code of the credential into the frame. The camera stays on for the next one.")}
          </p>
          <div className="mt-3 flex justify-center">
            <PlainButton variant="outline" autoFocus onPress={stop}>
              <X aria-hidden="true" /> {say("Stop")}
            </PlainButton>
          </div>
        </div>
      ) : (
        <div className="flex flex-col gap-2 sm:flex-row">
          <PlainButton
            variant="secondary"
            size="lg"
            className="h-12 w-full text-base sm:flex-1 md:h-12"
            onPress={() => {
              onStart();
              void start();
            }}
          >
            <Camera aria-hidden="true" /> {say("Scan with the camera")}
          </PlainButton>
          <label
            htmlFor={pictureId}
            className="button button--secondary button--lg h-12 w-full cursor-pointer text-base sm:flex-1 md:h-12 has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          >
            <FileImage aria-hidden="true" /> {say("Choose a picture or file")}
            <input
              id={pictureId}
              type="file"
              accept="image/*,.pdf,.json,.jsonld,.jwt,.txt,application/json"
              className="sr-only"
              onChange={({ target }) => {
                const file = target.files?.[0];
                if (file) choose(file);
                // Reset, so that the same file can be chosen again.
                target.value = "";
              }}
            />
          </label>
        </div>
      )}
      <div aria-live="polite" className="empty:hidden">
        {phase.at === "trouble" && (
          <Notice tone="warning" title={say(troubles[phase.what].title)} className="mt-4">
            {say(troubles[phase.what].help)}
          </Notice>
        )}
      </div>
    </div>
  );
}
