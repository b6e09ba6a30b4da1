/** Why an attempt failed (contract section 10); `internal` if the service itself could not make the request. */
export const attemptErrorClasses = [
  "dns",
  "blocked_address",
  "connect",
  "tls",
  "timeout",
  "redirect",
  "http",
  "internal",
] as const;
