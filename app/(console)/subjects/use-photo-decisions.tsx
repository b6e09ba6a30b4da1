"use client";
import { useState, type ReactNode } from "react";
import { PhotoOvertaken, type Overtaken, type SeenPhoto } from "./photo-overtaken";
import { PhotoRejection } from "./photo-rejection";

export interface PhotoDecisions {
  /** Opens the dialog that asks for the reason. */
  reject(seen: SeenPhoto): void;
  onOvertaken(overtaken: Overtaken): void;
  /** The person whose photo was replaced while it was being rejected, and the entered reason. */
  replaced: { id: string; reason: string } | null;
  forgetReplaced(): void;
  /** Rendered once on the page. */
  dialogs: ReactNode;
}

/**
 * The dialogs for decisions on photos. They belong to the page and not to a row: when the list is loaded again, a row
 * may disappear, and the reason that somebody was typing would be lost with it.
 */
export function usePhotoDecisions(): PhotoDecisions {
  const [rejecting, setRejecting] = useState<SeenPhoto | null>(null);
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const [replaced, setReplaced] = useState<PhotoDecisions["replaced"]>(null);
  const onOvertaken = (next: Overtaken) => {
    setRejecting(null);
    setOvertaken(next);
  };
  return {
    reject: setRejecting,
    onOvertaken,
    replaced,
    forgetReplaced: () => setReplaced(null),
    dialogs: (
      <>
        <PhotoRejection
          seen={rejecting}
          keptReason={rejecting?.subject.id === replaced?.id ? (replaced?.reason ?? "") : ""}
          onClose={() => {
            setRejecting(null);
            setReplaced(null);
          }}
          onReplaced={(id, reason) => {
            setRejecting(null);
            setReplaced({ id, reason });
          }}
          onOvertaken={onOvertaken}
        />
        <PhotoOvertaken overtaken={overtaken} onChange={setOvertaken} />
      </>
    ),
  };
}
