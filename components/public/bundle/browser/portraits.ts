/** Removes photos that fail to load, so that the initials below them are visible (components/card/portrait.tsx). */
export function removeBrokenPortraits(): void {
  // Error events of pictures do not bubble.
  document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && removeBroken(target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) removeBroken(image);
}

function removeBroken(image: HTMLImageElement): void {
  if (image.matches("[data-portrait]") && !image.closest("[data-island]")) image.remove();
}
