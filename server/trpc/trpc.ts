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

/** What every procedure is called with. */
export interface TrpcContext {
  visitor: Visitor;
  /** Null for who has not signed in. */
  session: ConsoleSession | null;
  /** The person at work in their organisation; null for who has not signed in, or belongs to none. */
  ctx: Ctx | null;
  /** The token of a sign-in that is under way in this browser. */
  signInToken: string | undefined;
  /** Adds a Set-Cookie header to the answer. */
  setCookie(header: string): void;
  /** The organisation that the asking page shows, where it says so. */
  shownOrgId: string | null;
}

/** Which operation a procedure stands for, by its name. */
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

// Operations parse their own input; parsed here too, what a schema transforms would be transformed twice.
const asSent =
  <I extends z.ZodType>(_: Operation<I, unknown>) =>
  (input: unknown) =>
    storable<z.input<I>>(input ?? {});

/** Refuses what PostgreSQL cannot store, and takes the rest as it was sent. */
export function storable<I>(input: unknown): I {
  refuseUnstorable(input);
  return input as I;
}

/** The procedure of an operation that reads. */
export function fromQuery<I extends z.ZodType, O>(operation: Operation<I, O>) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(asSent(operation))
    .query(({ ctx, input }) => mapped(() => inOrganisation(ctx, (at) => operation(at, input as z.input<I>))));
}

/** The procedure of an operation that reads one resource, with its ETag: what a form sends as `ifMatch`. */
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
 * The procedure of an operation that gives out a text file: its pieces, as the page takes them. The page asks by
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

async function* piecesOf({ chunks }: Download, orgId: Id<"org">): AsyncGenerator<string, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await mapped(() => actingFor(orgId, () => iterator.next()));
      if (done) return;
      yield typeof value === "string" ? value : Buffer.from(value).toString();
    }
  } finally {
    await iterator.return?.();
  }
}

/** The procedure of an operation that changes something. */
export function fromCommand<I extends z.ZodType, O>(operation: Operation<I, O>) {
  return t.procedure
    .meta({ operation: operation.operation.name })
    .input(asSent(operation))
    .mutation(({ ctx, input }) => mapped(() => inOrganisation(ctx, (at) => operation(at, input as z.input<I>))));
}

/**
 * The procedure of an operation that changes one resource. It answers the new ETag too, so that a form can go on from
 * its own change.
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

/** The procedure of what someone does who has not signed in, with a one-time link. */
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

/** The procedure of what a person does with their own session or account. Refused while a second factor is due. */
export function fromPerson<I, O>(act: (visitor: Visitor, session: ConsoleSession, input: I) => Promise<O>) {
  return t.procedure
    .input(storable<I>)
    .mutation(({ ctx, input }) => mapped(() => act(ctx.visitor, confirmedSession(ctx), input as I)));
}

/** The same for what a person may do before a second factor that is due is set up: setting it up. */
export function fromPersonSettingUp<I, O>(act: (visitor: Visitor, session: ConsoleSession, input: I) => Promise<O>) {
  return t.procedure
    .input(storable<I>)
    .mutation(({ ctx, input }) => mapped(() => act(ctx.visitor, signedIn(ctx), input as I)));
}

/** The procedure of what a person reads of their own account. Refused while a second factor is due. */
export function fromPersonQuery<O>(read: (visitor: Visitor, session: ConsoleSession) => Promise<O>) {
  return t.procedure.query(({ ctx }) => mapped(() => read(ctx.visitor, confirmedSession(ctx))));
}

/** The same, also while a second factor is due. */
export function fromPersonSettingUpQuery<O>(read: (visitor: Visitor, session: ConsoleSession) => Promise<O>) {
  return t.procedure.query(({ ctx }) => mapped(() => read(ctx.visitor, signedIn(ctx))));
}

/** A change that a page sends in another form than the operation takes it. */
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

/** The same for what a page reads. */
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

/** Runs an operation of a person at work. A scope that is refused is recorded. */
function inOrganisation<O>(context: TrpcContext, work: (ctx: Ctx) => Promise<O>): Promise<O> {
  const ctx = atWork(context);
  return actingFor(ctx.orgId, () => work(ctx)).catch((error: unknown) => {
    noteRefusedScope(error, ctx, context.visitor.address);
    throw error;
  });
}

/** For the few procedures that stand for no operation. */
export const procedure = t.procedure;

function signedIn({ session }: TrpcContext): ConsoleSession {
  if (!session)
    throw new DomainError("unauthenticated", "You are not signed in, or your session has ended. Sign in again.");
  return session;
}

/** The session, unless a second factor is due. */
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
      "conflict",
      "You went to another organisation in another window. Reload this page to go on there.",
    );
  }
  return context.ctx;
}
