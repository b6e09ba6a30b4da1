import { X509Certificate, type KeyObject } from "node:crypto";
import type { InputIssue } from "@/server/core/errors";

/** The certificates that an organisation sends: PEM, or base64 of DER, the format in which Apple provides certificates. */
export interface SentCertificates {
  certificate: string;
  wwdr: string;
  /** Of the private key (readPrivateKey). */
  key: KeyObject | InputIssue;
}

/** The certificate of a pass type, with its key and the certificate that signed it. All are PEM. */
export interface PassCertificates {
  certificate: string;
  /** PKCS #8, not encrypted. */
  privateKey: string;
  wwdr: string;
  /** The user id (UID) in the certificate's subject, such as pass.edu.example.card. */
  passTypeId: string;
  /** The organisational unit (OU) in the certificate's subject. */
  teamId: string;
  certificateExpiresAt: Date;
  wwdrExpiresAt: Date;
}

/**
 * Parses and checks the certificates: the pass certificate names a pass type and a team, the private key belongs to it,
 * Apple's intermediate certificate (WWDR) signed it, and neither certificate has expired.
 *
 * @returns the certificates, or an issue for each wrong field
 */
export function readCertificates(sent: SentCertificates, now: Date): PassCertificates | InputIssue[] {
  const certificate = readCertificate(sent.certificate);
  const wwdr = readCertificate(sent.wwdr);
  const { key } = sent;
  const issues = [
    ...(certificate
      ? problems("certificate", certificate, now)
      : [unreadable("certificate", `is not a certificate: ${ofPassType}`)]),
    ...(wwdr ? problems("wwdr", wwdr, now) : [unreadable("wwdr", `is not a certificate: ${ofApple}`)]),
    ...("pointer" in key ? [key] : []),
  ];
  if (!certificate || !wwdr || "pointer" in key) return issues;
  const { UID: passTypeId = "", OU: teamId = "" } = subjectOf(certificate);
  if (!/^pass\.[A-Za-z0-9.-]{1,120}$/.test(passTypeId) || !/^[A-Z0-9]{10}$/.test(teamId))
    issues.push(
      issue(
        "certificate",
        "wrong_kind",
        "is not the certificate of a Pass Type ID: its subject must have a user id such as pass.edu.example.card and a team of ten characters",
      ),
    );
  if (certificate.publicKey.asymmetricKeyType !== "rsa")
    issues.push(issue("certificate", "wrong_kind", "must have an RSA key, as Apple requires"));
  if (!certificate.checkPrivateKey(key))
    issues.push(issue("privateKey", "invalid_value", "is not the key of this certificate"));
  if (!certificate.checkIssued(wwdr) || !certificate.verify(wwdr.publicKey))
    issues.push(
      issue(
        "wwdr",
        "invalid_value",
        "did not sign this certificate: download the Apple Worldwide Developer Relations certificate that the certificate names as its issuer",
      ),
    );
  if (issues.length > 0) return issues;
  return {
    certificate: certificate.toString(),
    privateKey: key.export({ type: "pkcs8", format: "pem" }) as string,
    wwdr: wwdr.toString(),
    passTypeId,
    teamId,
    certificateExpiresAt: certificate.validToDate,
    wwdrExpiresAt: wwdr.validToDate,
  };
}

/** How far this machine's clock may lag behind Apple's, in milliseconds. */
const leewayMs = 3_600_000;

/** The attributes of the subject by short name, such as UID and OU. */
function subjectOf(certificate: X509Certificate): Record<string, string> {
  const lines = certificate.subject.split("\n").map((line) => line.split(/=(.*)/s));
  return Object.fromEntries(lines.map(([name, value]) => [name, value ?? ""]));
}

function problems(field: "certificate" | "wwdr", { validFromDate, validToDate }: X509Certificate, now: Date) {
  if (validToDate <= now)
    return [issue(field, "past", `expired on ${validToDate.toISOString().slice(0, 10)}; ask Apple for a new one`)];
  return validFromDate.getTime() > now.getTime() + leewayMs
    ? [issue(field, "future", `is valid only from ${validFromDate.toISOString().slice(0, 10)}`)]
    : [];
}

function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text.includes("-----BEGIN") ? text : Buffer.from(text, "base64"));
  } catch {
    return null;
  }
}

const issue = (field: string, code: InputIssue["code"], message: string): InputIssue => ({
  pointer: `/${field}`,
  code,
  message,
});

const unreadable = (field: string, message: string) => issue(field, "invalid_format", message);

const ofPassType =
  "choose the .cer file that you downloaded from Apple's developer site, under Certificates, Identifiers & Profiles";
const ofApple = "choose the .cer file of Worldwide Developer Relations from apple.com/certificateauthority, such as G4";
