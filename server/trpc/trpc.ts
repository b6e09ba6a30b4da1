import { initTRPC } from "@trpc/server";
import type { z } from "zod";
import type { ConsoleSession } from "@/server/access/console-session";
import { noteMisusedLink } from "@/server/access/misused-link";
import { noteRefusedScope } from "@/server/access/note-refusal";
import { organisationSuspended } from "@/server/access/suspended";
import type { Visitor } from "@/server/access/visitor";
import type { Ctx } from "@/server/core/context";
import type { Download } from "@/server/core/download";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { actingFor } from "@/server/core/organisation-share";
import type { Operation } from "@/server/core/operation";
import { refuseUnstorable } from "@/server/http/rest/json";
import { mapped, problemOf } from "./errors";

/** The context of every procedure call. */
export interface TrpcContext {
  visitor: Visitor;
  /** Null if nobody is signed in. */
  session: ConsoleSession | null;
  /**
   * The context of the person in their current organisation; null if nobody is signed in, the person has no
   * organisation, it is suspended, or a second factor is due.
   */
  ctx: Ctx | null;
  /** The token of this browser's sign-in in progress. */
  signInToken: string | undefined;
  /** Adds a Set-Cookie header to the answer. */
  setCookie(header: string): void;
  /** The organisation that the calling page shows, if it sends one. */
  shownOrgId: string | null;
}

/** The name of the operation that a procedure calls. */
interface ProcedureMeta {
  operation: string;
}

const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const problem = problemOf(error, ctx?.visitor.requestId);
      return { ...shape, message: problem.detail, data: { ...shape.data, problem } };
    },
  });

export const router = t.router;

// Passes input on unparsed, because operations parse their own: parsing it twice would apply a schema's transforms
// twice.
const asSent =
  <I extends z.ZodType>(_: Operation<I, unknown>) =>
  (input: unknown) =>
    storable<z.input<I>>(input ?? {});

/** Refuses input that PostgreSQL cannot store, and returns the rest unchanged. */
export function storable<I>(input: unknown): I {
  refuseUnstorable(input);
  return input as I;
}

/** Makes the procedure of an operation that reads. */
export function fromQuery<I extends z.ZodType, O>(operation: Operation<I, O>) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(asSent(operation))
    .query(({ ctx, input }) => mapped(() => inOrganisation(ctx, (at) => operation(at, input as z.input<I>))));
}

/** Makes the procedure of an operation that reads one resource. Adds its ETag, which a form sends back as `ifMatch`. */
export function fromTagged<I extends z.ZodType, O extends object>(operation: Operation<I, O>) {
  const { name, tag } = operation.operation;
  if (!tag) throw new Error(`${name} has no ETag`);
  const read = async (ctx: Ctx, input: z.input<I>) => {
    const found = await operation(ctx, input);
    return { ...found, etag: tag(found) };
  };
  return t.procedure
    .meta({ operation: name })
    .input(asSent(operation))
    .query(({ ctx, input }) => mapped(() => inOrganisation(ctx, (at) => read(at, input as z.input<I>))));
}

/**
 * Makes the procedure of an operation that returns a file, streamed in pieces (piecesOf). The page calls it with
 * httpBatchStreamLink (components/trpc/client.tsx).
 */
export function fromDownload<I extends z.ZodType>(operation: Operation<I, Download>) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(asSent(operation))
    .query(({ ctx, input }) =>
      mapped(async () =>
        piecesOf(await inOrganisation(ctx, (at) => operation(at, input as z.input<I>)), atWork(ctx).orgId),
      ),
    );
}

/** The pieces of a text as they are, those of any other file as base64, each by itself. */
async function* piecesOf({ type, chunks }: Download, orgId: Id<"org">): AsyncGenerator<string, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoding = type.startsWith("text/") ? "utf8" : "base64";
  try {
    for (;;) {
      const { done, value } = await mapped(() => actingFor(orgId, () => iterator.next()));
      if (done) return;
      yield typeof value === "string" ? value : Buffer.from(value).toString(encoding);
    }
  } finally {
    await iterator.return?.();
  }
}

/** Makes the procedure of an operation that changes something. */
export function fromCommand<I extends z.ZodType, O>(operation: Operation<I, O>) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(asSent(operation))
    .mutation(({ ctx, input }) => mapped(() => inOrganisation(ctx, (at) => operation(at, input as z.input<I>))));
}

/**
 * Makes the procedure of an operation that changes one resource. Adds the new ETag to the answer, so that a form can
 * continue after its own change.
 */
export function fromTaggedCommand<I extends z.ZodType, O extends object>(operation: Operation<I, O>) {
  const { name, tag } = operation.operation;
  if (!tag) throw new Error(`${name} has no ETag`);
  const change = async (ctx: Ctx, input: z.input<I>) => {
    const changed = await operation(ctx, input);
    return { ...changed, etag: tag(changed) };
  };
  return t.procedure
    .meta({ operation: name })
    .input(asSent(operation))
    .mutation(({ ctx, input }) => mapped(() => inOrganisation(ctx, (at) => change(at, input as z.input<I>))));
}

/** Makes the procedure of an action with a one-time link by somebody who is not signed in. */
export function fromVisitor<I, O>(act: (visitor: Visitor, input: I) => Promise<O>) {
  return t.procedure.input(storable<I>).mutation(({ ctx, input }) =>
    mapped(async () => {
      const sent = input as I;
      return act(ctx.visitor, sent).catch(async (error: unknown) => {
        const token = (sent as { token?: unknown } | null)?.token;
        if (error instanceof DomainError && error.code === "link_unusable" && typeof token === "string")
          await noteMisusedLink(ctx.visitor, token);
        throw error;
      });
    }),
  );
}

/** Makes the procedure of a person's action on their own session or account. Refused while a second factor is due. */
export function fromPerson<I, O>(act: (visitor: Visitor, session: ConsoleSession, input: I) => Promise<O>) {
  return t.procedure
    .input(storable<I>)
    .mutation(({ ctx, input }) => mapped(() => act(ctx.visitor, confirmedSession(ctx), input as I)));
}

/** Like fromPerson, for actions that set up a second factor: allowed while one is due. */
export function fromPersonSettingUp<I, O>(act: (visitor: Visitor, session: ConsoleSession, input: I) => Promise<O>) {
  return t.procedure
    .input(storable<I>)
    .mutation(({ ctx, input }) => mapped(() => act(ctx.visitor, signedIn(ctx), input as I)));
}

/** Makes the procedure of a query of the person's own account. Refused while a second factor is due. */
export function fromPersonQuery<O>(read: (visitor: Visitor, session: ConsoleSession) => Promise<O>) {
  return t.procedure.query(({ ctx }) => mapped(() => read(ctx.visitor, confirmedSession(ctx))));
}

/** Like fromPersonQuery, but allowed while a second factor is due. */
export function fromPersonSettingUpQuery<O>(read: (visitor: Visitor, session: ConsoleSession) => Promise<O>) {
  return t.procedure.query(({ ctx }) => mapped(() => read(ctx.visitor, signedIn(ctx))));
}

/** Like fromCommand, for input that a page sends in another form than the operation takes. */
export function fromCommandSentAs<I extends z.ZodType, O, S>(
  operation: Operation<I, O>,
  act: (call: (input: z.input<I>) => Promise<O>, sent: S) => Promise<O>,
) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(storable<S>)
    .mutation(({ ctx, input }) =>
      mapped(() => inOrganisation(ctx, (at) => act((sent) => operation(at, sent), input as S))),
    );
}

/** Like fromQuery, for a result that a page receives in another form than the operation returns. */
export function fromQueryGivenAs<I extends z.ZodType, O, G>(
  operation: Operation<I, O>,
  give: (result: O) => Promise<G>,
) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(asSent(operation))
    .query(({ ctx, input }) =>
      mapped(() => inOrganisation(ctx, async (at) => give(await operation(at, input as z.input<I>)))),
    );
}

/** Runs an operation in the person's current organisation. Records refused scopes as security events. */
export function inOrganisation<O>(context: TrpcContext, work: (ctx: Ctx) => Promise<O>): Promise<O> {
  const ctx = atWork(context);
  return actingFor(ctx.orgId, () => work(ctx)).catch((error: unknown) => {
    noteRefusedScope(error, ctx, context.visitor.address);
    throw error;
  });
}

/** For the few procedures that do not call an operation. */
export const procedure = t.procedure;

function signedIn({ session }: TrpcContext): ConsoleSession {
  if (!session)
    throw new DomainError("unauthenticated", "You are not signed in, or your session has ended. Sign in again.");
  return session;
}

/** Returns the session, unless a second factor is due. */
export function confirmedSession(context: TrpcContext): ConsoleSession {
  const session = signedIn(context);
  if (session.secondFactor.isDue)
    throw new DomainError(
      "second_factor_required",
      `${session.current?.name} requires a second factor. Set one up to go on.`,
    );
  return session;
}

function atWork(context: TrpcContext): Ctx {
  if (confirmedSession(context).current?.suspended) throw organisationSuspended();
  if (!context.ctx)
    throw new DomainError("insufficient_scope", "You do not belong to this organisation any more. Choose another.");
  if (context.shownOrgId && context.shownOrgId !== publicId("org", context.ctx.orgId)) {
    throw new DomainError(
      "organisation_switched",
      "You went to another organisation in another window. Reload this page to go on there.",
    );
  }
  return context.ctx;
}
