import { deleteConnector } from "@/server/connectors/delete";
import { getConnector } from "@/server/connectors/get";
import { updateConnector } from "@/server/connectors/update";
import { connectorSchema } from "@/server/connectors/view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getConnector, summary: "Get a connector", response: connectorSchema });

export const PATCH = route({
  operation: updateConnector,
  summary: "Change a connector",
  description:
    "What is sent replaces what is there, the mapping as a whole. A run under way keeps what it was queued with.",
  response: connectorSchema,
  example: { request: { status: "paused" } },
});

export const DELETE = route({
  operation: deleteConnector,
  summary: "Delete a connector",
  description:
    "Its people stay as they are. Runs that are under way or held are cancelled. Of a directory, removals that wait for approval are dropped and counted in the audit log: those people stay active.",
  response: null,
});
