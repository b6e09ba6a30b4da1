import type { StandardCheck } from "./check";

const name = "issuer_identity";
const nameUnproven = "The key does not prove the issuer’s name.";

/**
 * Says what the signing key proves about the issuer: its domain, an address, or nothing. No key proves that the
 * issuer's name is true (contract section 8).
 */
export function checkIssuerIdentity(issuer: string): StandardCheck {
  const domain = domainOf(issuer);
  if (domain !== null)
    return {
      name,
      outcome: "pass",
      detail: `The key that signed is the one that ${domain} publishes, so whoever runs ${domain} issued it. ${nameUnproven}`,
    };
  const host = hostOf(issuer);
  if (host !== null)
    return {
      name,
      outcome: "pass",
      detail: `The key that signed is published at an address on ${host}. Whoever writes there issued it, and need not speak for ${host}. ${nameUnproven}`,
    };
  return {
    name,
    outcome: "skipped",
    detail:
      "The issuer is named by its key alone. Anyone can make such a key and give it any name, so the key does not show whose it is.",
  };
}

/**
 * The domain for which an issuer speaks: that of a did:web without a path, or of an https URL that is the domain itself
 * or below its /.well-known. Null for any other path: members of a university may publish below its domain, and do not
 * speak for it.
 */
export function domainOf(issuer: string): string | null {
  if (issuer.startsWith("did:web:")) return issuer.split(":").length === 3 ? hostOf(issuer) : null;
  const path = /^https:\/\//i.test(issuer) ? URL.parse(issuer)?.pathname : undefined;
  return path === "/" || path?.startsWith("/.well-known/") ? hostOf(issuer) : null;
}

/** The host that publishes the keys of a did:web or an https issuer; null for any other issuer. */
function hostOf(issuer: string): string | null {
  if (issuer.startsWith("did:web:")) return issuer.split(":")[2]!.replace(/%3A/i, ":");
  return /^https:\/\//i.test(issuer) ? (URL.parse(issuer)?.host ?? null) : null;
}
