import { createSftpPassword, deleteSftpPassword, sftpPasswordSchema } from "@/server/connectors/sftp/password";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: createSftpPassword,
  summary: "Create the SFTP password of a connector",
  description: "The password is in this answer and never again. The one before works no more.",
  response: sftpPasswordSchema,
  statuses: [201],
});

export const DELETE = route({
  operation: deleteSftpPassword,
  summary: "Delete the SFTP password of a connector",
  response: null,
});
