import { useCallback, useEffect, useRef, useState } from "react";
import { closeCamera, openCamera, ScanError, type ScanTrouble } from "./camera";
import { openDetector } from "./open-detector";

export type ScanPhase =
  | { at: "idle" }
  | { at: "starting" }
  | { at: "scanning"; stream: MediaStream }
  | { at: "trouble"; what: ScanTrouble };

const betweenLooksMs = 120;
/** A code counts as shown again after it was out of sight for this long. */
const outOfSightMs = 1_500;

/**
 * Scans the camera for QR codes from `start` until `stop`, or until the page is left or hidden: the camera never stays
 * on unseen. Reports each code once while it stays in sight, and none while several different codes are in view
 * (`isSeveral`).
 */
export function useScanner(onText: (text: string) => void) {
  const [phase, setPhase] = useState<ScanPhase>({ at: "idle" });
  const [isSeveral, setSeveral] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const running = useRef<AbortController>(undefined);
  const take = useRef(onText);
  useEffect(() => void (take.current = onText));

  const stop = useCallback(() => {
    running.current?.abort();
    setPhase({ at: "idle" });
  }, []);

  const start = useCallback(async () => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setPhase({ at: "starting" });
    try {
      const decoding = openDetector();
      decoding.catch(() => undefined);
      const stream = await openCamera();
      if (signal.aborted) return closeCamera(stream);
      signal.addEventListener("abort", () => closeCamera(stream));
      setPhase({ at: "scanning", stream });
      const detector = await decoding.catch(() => {
        throw new ScanError("decoder");
      });
      let last = { text: "", seenAt: 0 };
      while (!signal.aborted) {
        const seen = isShowing(video.current) ? await detector.detect(video.current) : [];
        const texts = [...new Set(seen.map(({ rawValue }) => rawValue))];
        if (!signal.aborted) setSeveral(texts.length > 1);
        if (texts.length === 1 && !signal.aborted) {
          const isNew = texts[0] !== last.text || Date.now() - last.seenAt > outOfSightMs;
          last = { text: texts[0]!, seenAt: Date.now() };
          if (isNew) take.current(last.text);
        }
        await new Promise((resolve) => setTimeout(resolve, betweenLooksMs));
      }
    } catch (error) {
      if (signal.aborted) return;
      running.current.abort();
      setPhase({ at: "trouble", what: error instanceof ScanError ? error.trouble : "failed" });
    }
  }, []);

  useEffect(() => {
    if (phase.at !== "scanning" || !video.current) return;
    video.current.srcObject = phase.stream;
    video.current.scrollIntoView({ block: "center" });
  }, [phase]);

  useEffect(() => {
    const leave = () =>
      document.visibilityState === "hidden" && running.current && !running.current.signal.aborted && stop();
    document.addEventListener("visibilitychange", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      running.current?.abort();
    };
  }, [stop]);

  return { phase, isSeveral, video, start, stop };
}

function isShowing(video: HTMLVideoElement | null): video is HTMLVideoElement {
  return video !== null && video.readyState >= video.HAVE_CURRENT_DATA && video.videoWidth > 0;
}
