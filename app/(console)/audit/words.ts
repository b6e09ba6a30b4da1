const phrases: Record<string, string> = {
  "subject.created": "Person added",
  "subject.updated": "Person changed",
  "subject.photo_approved": "Photo approved",
  "subject.photo_rejected": "Photo rejected",
  "credential.sent": "Credential sent by e-mail",
  "message.cancelled": "E-mail to a holder cancelled",
  "message.resent": "E-mail to a holder sent again",
  "template.test_message_sent": "Test e-mail sent",
  "credential.pass_made": "Pass for a wallet offered",
  "wallet.apple_configured": "Apple Wallet set up",
  "wallet.apple_removed": "Apple Wallet removed",
  "wallet.google_configured": "Google Wallet set up",
  "wallet.google_removed": "Google Wallet removed",
  "claim.issued": "Credential claimed",
  "claim.submitted": "Claim waits for approval",
  "holder.address_added": "Holder added an address",
  "holder.address_removed": "Holder removed an address",
  "name_confirmation.confirmed": "Name confirmed",
  "name_confirmation.cancelled": "Request to confirm a name cancelled",
  "name_confirmation.resent": "Link to confirm a name sent again",
  "name_request.submitted": "Holder asked for another name",
  "name_request.approved": "Name corrected",
  "session.started": "Signed in",
  "session.entered": "Entered the organisation",
  "session.ended": "Signed out",
  "session.others_ended": "Ended other own sessions",
  "session.all_ended": "Ended all own sessions",
  "photo_import.created": "Archive of photos uploaded",
  "photo_import.cancelled": "Import of photos stopped",
  "photo_import.stopped":
    "Import of photos stopped: whoever asked for it may not do it any more, or the archive was lost",
  "bulk_job.stopped": "Bulk action stopped: whoever asked for it may not do it any more",
  "user.disabled": "Account disabled",
  "user.enabled": "Account enabled again",
  "user.password_changed": "Password changed",
  "user.authenticator_app_added": "Authenticator app added",
  "user.authenticator_app_removed": "Authenticator app removed",
  "user.passkey_added": "Passkey added",
  "user.passkey_renamed": "Passkey renamed",
  "user.passkey_removed": "Passkey removed",
  "user.recovery_codes_made": "New recovery codes made",
  "user.second_factor_reset": "Second factor reset by the operator",
  "user.email_verified": "E-mail address verified",
  "user.taken_over": "Account taken over by its e-mail address",
  "user.sso_connected": "Single sign-on connected",
  "user.sso_disconnected": "Single sign-on disconnected",
  "organisation.second_factor_required": "Second factor required of everyone",
  "organisation.second_factor_optional": "Second factor no longer required",
  "member.invitation_withdrawn": "Invitation withdrawn",
  "webhook_endpoint.old_secret_retired": "Webhook secret retired",
  "issuer.key_rotated": "Signing key replaced",
  "issuer.key_revoked": "Signing key revoked",
  "issuer.domain_set": "Domain of the issuer named",
  "issuer.domain_checked": "Domain of the issuer checked",
  "issuer.domain_removed": "Domain of the issuer removed",
  "issuer.updated": "How documents name holders changed",
  "webhook_endpoint.secret_rotated": "Webhook secret rotated",
  "webhook_endpoint.missing_replayed": "Missing events replayed",
  "webhook_endpoint.recovered": "Failed deliveries recovered",
};
const initials: Record<string, string> = { Api: "API", Oauth: "OAuth" };

/** An action or a type of thing in words: "api_key.created" → "API key created". */
export function inWords(name: string): string {
  if (phrases[name]) return phrases[name];
  const words = name
    .replaceAll(/[._]+/g, " ")
    .replace(/^subject\b/, "person")
    .replace(/^bulk job\b/, "bulk action");
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^\w+/, (first) => initials[first] ?? first);
}
