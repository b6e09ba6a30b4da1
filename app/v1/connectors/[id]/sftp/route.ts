import { getSftpAccess, sftpAccessSchema } from "@/server/connectors/sftp/get-access";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: getSftpAccess,
  summary: "Get how files are sent by SFTP",
  description: "Of a connector that receives: host, port, user name and the fingerprints of our host keys.",
  response: sftpAccessSchema,
});
