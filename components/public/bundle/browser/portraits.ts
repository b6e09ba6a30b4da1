/** Removes photos that do not load; initials stand below them (components/card/portrait.tsx). */
export function removeBrokenPortraits(): void {
  // Errors of pictures do not bubble.
  document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && removeBroken(target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) removeBroken(image);
}

function removeBroken(image: HTMLImageElement): void {
  if (image.matches("[data-portrait]") && !image.closest("[data-island]")) image.remove();
}
