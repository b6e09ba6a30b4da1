const marker = "qr-open";
const dialog = () => document.querySelector<HTMLDialogElement>("[data-qr-dialog]");

/** Opens and closes the full-screen QR code (components/public/qr-full-screen.tsx). Escape and Back also close it. */
export function openQrFullScreen(): void {
  document.addEventListener("click", ({ target }) => {
    const { opener, closer } = {
      opener: (target as Element).closest("[data-qr-open]"),
      closer: (target as Element).closest("[data-qr-close]"),
    };
    if (closer) dialog()?.close();
    if (opener) open(opener);
  });
  window.addEventListener("popstate", () => dialog()?.close());
}

function open(opener: Element): void {
  const large = dialog();
  const code = opener.querySelector("svg");
  if (!large || !code) return;
  large.querySelector("[data-qr-large]")!.replaceChildren(code.cloneNode(true));
  large.onclose = () => {
    if (isMarked()) window.history.back();
  };
  // A separate history entry, so that Back closes the code and does not leave the page.
  window.history.pushState({ [marker]: true }, "");
  large.showModal();
}

const isMarked = () => (window.history.state as Record<string, unknown> | null)?.[marker] === true;
