/** Width and height of preview.png, in pixels (server/drawing/preview.ts). */
export const previewSize = { width: 1200, height: 630 };
