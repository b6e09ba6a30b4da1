import { receiveUpload } from "@/server/core/blobs/upload";
import type { Ctx } from "@/server/core/context";
import { createConnector } from "../create";
import { getConnectorRun } from "../get-run";
import { runConnectorStep } from "../run/step";
import { uploadToConnector } from "../upload";
import { fileOf, mapping, numbers } from "./feed";

export const connector = (ctx: Ctx) =>
  createConnector(ctx, { name: "Registry", type: "csv", mapping, missing: "deactivate" });

/** Creates a connector of type http. Nothing listens at its default address. */
export const httpConnector = (ctx: Ctx, url = "http://127.0.0.1:49151/people") =>
  createConnector(ctx, { name: "Registry", type: "http", mapping, settings: { url } });

/** Uploads a file to a connector without HTTP. */
export async function uploaded(ctx: Ctx, id: string, text: string) {
  const file = await receiveUpload(
    (async function* () {
      yield Buffer.from(text);
    })(),
    1_000_000,
  );
  try {
    return await uploadToConnector(ctx, { id, file });
  } finally {
    await file.discard();
  }
}

/** Creates a connector with a finished run that created a person. */
export async function applied(ctx: Ctx) {
  const { id } = await connector(ctx);
  const run = await uploaded(ctx, id, fileOf([1]).replaceAll(/^p-/gm, `${id}-`));
  // Another process may be working on a step of the run.
  while ((await getConnectorRun(ctx, { id, run: run.id })).status !== "succeeded") await runConnectorStep(new Date());
  return { id, run: run.id };
}

/** Creates a connector with a run that waits for approval. */
export async function held(ctx: Ctx) {
  const { id } = await connector(ctx);
  // Unique ids, because people who have another source would not be deactivated.
  const file = (people: number[]) => fileOf(people).replaceAll(/^p-/gm, `${id}-`);
  await uploaded(ctx, id, file(numbers(1, 20)));
  const run = await uploaded(ctx, id, file([1]));
  // Another process may be working on a step of the run.
  while ((await getConnectorRun(ctx, { id, run: run.id })).status !== "held") await runConnectorStep(new Date());
  return { id, run: run.id };
}
