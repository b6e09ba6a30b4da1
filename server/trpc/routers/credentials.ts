import { archiveCredentials } from "@/server/badges/archive";
import { getBadgePng, getBadgeSvg } from "@/server/badges/get-badge";
import { getCertificate } from "@/server/badges/get-certificate";
import { getCredentialDocument } from "@/server/badges/get-document";
import { listChannels } from "@/server/channels/list";
import { sendCredential } from "@/server/channels/send";
import { getCredentialCard } from "@/server/credentials/card";
import { countCredentials } from "@/server/credentials/counts";
import { credentialDays } from "@/server/credentials/daily";
import { getCredential } from "@/server/credentials/get";
import { exportCredentials } from "@/server/credentials/export";
import { listCredentialHistory } from "@/server/credentials/history";
import { issueOrAsk } from "@/server/credentials/issue-or-ask";
import { listCredentials, listCredentialsOfSubject } from "@/server/credentials/list";
import { reissueCredential } from "@/server/credentials/reissue";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { updateCredential } from "@/server/credentials/update";
import { addChannel } from "@/server/wallets/add-channel";
import { dataUrl } from "../photo";
import { fromCommand, fromDownload, fromQuery, fromQueryGivenAs, fromTagged, fromTaggedCommand, router } from "../trpc";

export const credentialsRouter = router({
  list: fromQuery(listCredentials),
  ofSubject: fromQuery(listCredentialsOfSubject),
  get: fromTagged(getCredential),
  card: fromQuery(getCredentialCard),
  history: fromQuery(listCredentialHistory),
  export: fromDownload(exportCredentials),
  archive: fromDownload(archiveCredentials),
  document: fromQueryGivenAs(getCredentialDocument, dataUrl),
  badgePng: fromQueryGivenAs(getBadgePng, dataUrl),
  badgeSvg: fromQueryGivenAs(getBadgeSvg, dataUrl),
  certificate: fromQueryGivenAs(getCertificate, dataUrl),
  counts: fromQuery(countCredentials),
  daily: fromQuery(credentialDays),
  issue: fromCommand(issueOrAsk),
  update: fromTaggedCommand(updateCredential),
  suspend: fromCommand(suspendCredential),
  resume: fromCommand(resumeCredential),
  revoke: fromCommand(revokeCredential),
  reissue: fromCommand(reissueCredential),
  send: fromCommand(sendCredential),
  channels: fromQuery(listChannels),
  addChannel: fromCommand(addChannel),
});
