import { approveConnectorRun } from "@/server/connectors/approve-run";
import { cancelConnectorRun } from "@/server/connectors/cancel-run";
import { createConnector } from "@/server/connectors/create";
import { makeDefaultScim } from "@/server/connectors/default-scim";
import { deleteConnector } from "@/server/connectors/delete";
import { exportConnectorRunErrors } from "@/server/connectors/export-run-errors";
import { getConnector } from "@/server/connectors/get";
import { getConnectorRun } from "@/server/connectors/get-run";
import { listConnectors } from "@/server/connectors/list";
import { listConnectorRunErrors } from "@/server/connectors/list-run-errors";
import { listConnectorRemovals } from "@/server/connectors/list-run-removals";
import { listConnectorRuns } from "@/server/connectors/list-runs";
import { fileOf } from "@/server/connectors/testing/feed";
import { applied, connector, held, httpConnector, uploaded } from "@/server/connectors/testing/runs";
import { previewConnector } from "@/server/connectors/preview";
import { getSftpAccess } from "@/server/connectors/sftp/get-access";
import { createSftpPassword, deleteSftpPassword } from "@/server/connectors/sftp/password";
import { receiver } from "@/server/connectors/sftp/testing/receiver";
import { exportRejectedRows } from "@/server/connectors/export-rejected-rows";
import { sampleConnectorFile } from "@/server/connectors/sample-file";
import { undoConnectorRun } from "@/server/connectors/undo-run";
import { receiveUpload } from "@/server/core/blobs/upload";
import { syncConnector } from "@/server/connectors/sync";
import { testConnectorSource } from "@/server/connectors/test-source";
import { updateConnector } from "@/server/connectors/update";
import { uploadToConnector } from "@/server/connectors/upload";
import type { Ctx } from "@/server/core/context";
import { approveStagedRemovals } from "@/server/scim/removals/approve";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { listStagedRemovals } from "@/server/scim/removals/list";
import { createConnectorToken } from "@/server/scim/tokens/create";
import { deleteConnectorToken } from "@/server/scim/tokens/delete";
import { listConnectorTokens } from "@/server/scim/tokens/list";
import { scimConnector } from "@/server/scim/testing/connection";
import type { Step } from "./step";

const queued = async (ctx: Ctx) => {
  const { id } = await connector(ctx);
  return { id, run: (await uploaded(ctx, id, fileOf([1]))).id };
};

async function* one(text: string) {
  yield Buffer.from(text);
}

export const connectorSteps: Step[] = [
  {
    operation: createConnector,
    prepare: async (ctx) => () => connector(ctx),
    events: [],
    audit: ["connector.created"],
  },
  {
    operation: updateConnector,
    prepare: async (ctx) => {
      const { id } = await connector(ctx);
      return () => updateConnector(ctx, { id, status: "paused" });
    },
    events: [],
    audit: ["connector.updated"],
  },
  {
    operation: updateConnector,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id, mapping, limits, settings } = await connector(ctx);
      return () => updateConnector(ctx, { id, mapping, limits, settings, status: "active" });
    },
    events: [],
  },
  {
    operation: deleteConnector,
    prepare: async (ctx) => {
      const { id } = await connector(ctx);
      return () => deleteConnector(ctx, { id });
    },
    events: [],
    audit: ["connector.deleted"],
  },
  {
    operation: uploadToConnector,
    prepare: async (ctx) => {
      const { id } = await connector(ctx);
      return () => uploaded(ctx, id, fileOf([1]));
    },
    events: [],
    audit: ["connector_run.queued"],
  },
  {
    operation: approveConnectorRun,
    prepare: async (ctx) => {
      const run = await held(ctx);
      return () => approveConnectorRun(ctx, run);
    },
    events: [],
    audit: ["connector_run.approved"],
  },
  {
    operation: cancelConnectorRun,
    prepare: async (ctx) => {
      const run = await queued(ctx);
      return () => cancelConnectorRun(ctx, run);
    },
    events: [],
    audit: ["connector_run.cancelled"],
  },
  {
    operation: cancelConnectorRun,
    case: "that is cancelled",
    nothingToDo: true,
    prepare: async (ctx) => {
      const run = await queued(ctx);
      await cancelConnectorRun(ctx, run);
      return () => cancelConnectorRun(ctx, run);
    },
    events: [],
  },
  {
    operation: undoConnectorRun,
    prepare: async (ctx) => {
      const run = await applied(ctx);
      return () => undoConnectorRun(ctx, run);
    },
    events: [],
    audit: ["connector_run.queued"],
  },
  {
    operation: exportRejectedRows,
    prepare: async (ctx) => {
      const run = await queued(ctx);
      return () => exportRejectedRows(ctx, run);
    },
    events: [],
  },
  {
    operation: sampleConnectorFile,
    prepare: async (ctx) => {
      const file = await receiveUpload(one('{"id":1}'), 100);
      return () => sampleConnectorFile(ctx, { file });
    },
    events: [],
  },
  {
    operation: getConnector,
    prepare: async (ctx) => {
      const { id } = await connector(ctx);
      return () => getConnector(ctx, { id });
    },
    events: [],
  },
  {
    operation: syncConnector,
    prepare: async (ctx) => {
      const { id } = await httpConnector(ctx);
      return () => syncConnector(ctx, { id });
    },
    events: [],
    audit: ["connector_run.queued"],
  },
  {
    operation: syncConnector,
    case: "while a fetch waits",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await httpConnector(ctx);
      await syncConnector(ctx, { id });
      return () => syncConnector(ctx, { id });
    },
    events: [],
  },
  {
    operation: testConnectorSource,
    prepare: async (ctx) => () => testConnectorSource(ctx, { settings: { url: "http://127.0.0.1:49151/people" } }),
    events: [],
  },
  {
    operation: createSftpPassword,
    prepare: async (ctx) => {
      const { id } = await receiver(ctx);
      return () => createSftpPassword(ctx, { id });
    },
    events: [],
    audit: ["connector.password_created"],
  },
  {
    operation: deleteSftpPassword,
    prepare: async (ctx) => {
      const { id } = await receiver(ctx);
      await createSftpPassword(ctx, { id });
      return () => deleteSftpPassword(ctx, { id });
    },
    events: [],
    audit: ["connector.password_deleted"],
  },
  {
    operation: deleteSftpPassword,
    case: "where there is none",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await receiver(ctx);
      return () => deleteSftpPassword(ctx, { id });
    },
    events: [],
  },
  {
    operation: getSftpAccess,
    prepare: async (ctx) => {
      const { id } = await receiver(ctx);
      return () => getSftpAccess(ctx, { id });
    },
    events: [],
  },
  {
    operation: previewConnector,
    prepare: async (ctx) => {
      const { id } = await connector(ctx);
      return () => previewConnector(ctx, { connectorId: id, content: fileOf([1, 2]) });
    },
    events: [],
  },
  {
    operation: makeDefaultScim,
    prepare: async (ctx) => () => makeDefaultScim(ctx, {}),
    events: [],
    audit: ["connector.created"],
  },
  {
    operation: createConnectorToken,
    prepare: async (ctx) => {
      const { id } = await scimConnector(ctx);
      return () => createConnectorToken(ctx, { id });
    },
    events: [],
    audit: ["connector.token_created"],
  },
  {
    operation: deleteConnectorToken,
    prepare: async (ctx) => {
      const { id } = await scimConnector(ctx);
      const token = await createConnectorToken(ctx, { id });
      return () => deleteConnectorToken(ctx, { id, token: token.id });
    },
    events: [],
    audit: ["connector.token_deleted"],
  },
  ...[approveStagedRemovals, discardStagedRemovals].map(
    (operation): Step => ({
      operation,
      prepare: async (ctx) => {
        const { id } = await scimConnector(ctx);
        return () => operation(ctx, { id });
      },
      events: [],
      audit: [`connector.staged_${operation === approveStagedRemovals ? "approved" : "discarded"}`],
    }),
  ),
  ...[listConnectorTokens, listStagedRemovals].map(
    (operation): Step => ({
      operation,
      prepare: async (ctx) => {
        const { id } = await scimConnector(ctx);
        return () => operation(ctx, { id });
      },
      events: [],
    }),
  ),
  { operation: listConnectors, prepare: async (ctx) => () => listConnectors(ctx, {}), events: [] },
  ...[getConnectorRun, listConnectorRuns, listConnectorRunErrors, listConnectorRemovals, exportConnectorRunErrors].map(
    (operation): Step => ({
      operation,
      prepare: async (ctx) => {
        const { id, run } = await queued(ctx);
        return () => (operation === listConnectorRuns ? listConnectorRuns(ctx, { id }) : ask(operation, ctx, id, run));
      },
      events: [],
    }),
  ),
];

const ask = (operation: unknown, ctx: Ctx, id: string, run: string) =>
  (operation as typeof getConnectorRun)(ctx, { id, run });
