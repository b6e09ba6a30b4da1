/**
 * Builds the content security policy of pages. They load nothing from another host.
 * @param {string} inlineScripts the sources of inline scripts: hashes, a nonce, or 'unsafe-inline' in development
 * @param {{ development?: boolean }} [options] `development`: Next compiles in the browser and connects by WebSocket
 */
export const contentSecurityPolicy = (inlineScripts, { development = false } = {}) =>
  [
    "default-src 'self'",
    `script-src 'self' ${inlineScripts} 'wasm-unsafe-eval'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join("; ");
