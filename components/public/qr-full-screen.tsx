"use client";
import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

const marker = "qr-open";

interface Props {
  /** The QR code, as it stands on the page. */
  children: ReactNode;
  code: string;
}

/**
 * Opens a QR code over the whole screen at a tap, bright and without scrolling. Escape, Back or another tap close it.
 * Without scripts it stays as it is.
 */
export function QrFullScreen({ children, code }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const back = () => dialog.current?.close();
    window.addEventListener("popstate", back);
    return () => window.removeEventListener("popstate", back);
  }, []);

  function open() {
    // An entry of its own, so that Back closes the code and does not leave the page. Next's own state is kept beside
    // it.
    window.history.pushState({ ...window.history.state, [marker]: true }, "");
    dialog.current?.showModal();
  }

  function closed() {
    if (window.history.state?.[marker]) window.history.back();
  }

  return (
    <>
      <button
        type="button"
        onClick={open}
        className="w-full cursor-zoom-in rounded-lg focus-visible:outline-2 focus-visible:outline-offset-4"
        aria-haspopup="dialog"
      >
        {children}
        <span className="no-print mt-2 block text-[0.8125rem] font-medium text-link">Show it large</span>
      </button>
      <dialog
        ref={dialog}
        onClose={closed}
        aria-label="QR code, full screen"
        className="fixed inset-0 m-0 size-full max-h-none max-w-none bg-white p-0 text-black"
      >
        <button
          type="button"
          autoFocus
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="relative flex size-full cursor-zoom-out flex-col items-center justify-center -outline-offset-4"
        >
          <X className="absolute top-4 right-4 size-7" aria-hidden="true" />
          <span className="block w-[min(94vw,calc(100dvh-8rem))] [&_svg]:w-full [&_svg]:max-w-none">{children}</span>
          <span className="font-mono text-lg tracking-wide">{code}</span>
        </button>
      </dialog>
    </>
  );
}
