/** Why the camera cannot be used. */
export type ScanTrouble = "insecure" | "denied" | "none" | "busy" | "decoder" | "failed";

export class ScanError extends Error {
  constructor(readonly trouble: ScanTrouble) {
    super(trouble);
  }
}

/** Opens the rear camera if there is one. Rejects with a ScanError. */
export async function openCamera(): Promise<MediaStream> {
  // Browsers offer the camera only on https and localhost.
  if (!window.isSecureContext) throw new ScanError("insecure");
  if (!("mediaDevices" in navigator)) throw new ScanError("none");
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 960 } },
    });
  } catch (error) {
    throw new ScanError(troubles[(error as DOMException).name] ?? "failed");
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** By the names of the exceptions of getUserMedia (Media Capture and Streams, 10.3). */
const troubles: Record<string, ScanTrouble> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "busy",
  AbortError: "busy",
};
