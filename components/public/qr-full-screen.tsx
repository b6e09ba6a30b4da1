import { X } from "lucide-react";
import type { ReactNode } from "react";
import { say } from "./words";

interface Props {
  /** The QR code as it is on the page. */
  children: ReactNode;
  code: string;
}

/**
 * A QR code that opens over the whole screen when tapped, bright and without scrolling
 * (bundle/browser/qr-full-screen.ts). Without scripts it stays as it is.
 */
export function QrFullScreen({ children, code }: Props) {
  return (
    <>
      <button
        type="button"
        data-qr-open=""
        className="w-full cursor-zoom-in rounded-lg noscript:cursor-default focus-visible:outline-2 focus-visible:outline-offset-4"
        aria-haspopup="dialog"
      >
        {children}
        <span className="no-print noscript:hidden mt-2 block text-[0.8125rem] font-medium text-link">
          {say("Show it large")}
        </span>
      </button>
      <dialog
        data-qr-dialog=""
        aria-label={say("QR code, full screen")}
        className="fixed inset-0 m-0 size-full max-h-none max-w-none bg-white p-0 text-black"
      >
        <button
          type="button"
          autoFocus
          aria-label={say("Close")}
          data-qr-close=""
          className="relative flex size-full cursor-zoom-out flex-col items-center justify-center -outline-offset-4"
        >
          <X className="absolute top-4 right-4 size-7" aria-hidden="true" />
          {/* The script puts a copy of the code here. In the HTML, a second copy would be a quarter of the page. */}
          <span
            data-qr-large=""
            className="block w-[min(94vw,calc(100dvh-8rem))] [&_svg]:w-full [&_svg]:max-w-none"
          ></span>
          <span className="font-mono text-lg tracking-wide">{code}</span>
        </button>
      </dialog>
    </>
  );
}
