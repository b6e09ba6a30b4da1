import { dropChallenge, signInCookieHeader } from "@/server/access/second-factor/challenge";
import { passkeySignInOptions } from "@/server/access/second-factor/passkey-sign-in-options";
import { signInState } from "@/server/access/second-factor/sign-in-state";
import { startSso } from "@/server/access/sso/start-sso";
import { sql } from "@/server/core/db";
import { consumeAddress } from "@/server/http/rest/rate-limit";
import { mapped } from "../errors";
import { procedure, router, storable } from "../trpc";

/**
 * The steps of a sign-in before an answer. Answers go to next-auth, which starts the session
 * (server/http/web/console-auth.ts).
 */
export const signInRouter = router({
  state: procedure.query(({ ctx }) => mapped(() => signInState(ctx.visitor, ctx.signInToken))),
  passkeyOptions: procedure.mutation(({ ctx }) =>
    mapped(async () => {
      await consumeAddress(ctx.visitor.address);
      const { options, token } = await passkeySignInOptions(ctx.visitor, ctx.signInToken);
      if (token) ctx.setCookie(signInCookieHeader(token));
      return options;
    }),
  ),
  /** Begins single sign-on and returns the URL to send the browser to. */
  sso: procedure.input(storable<{ next?: string }>).mutation(({ ctx, input }) =>
    mapped(async () => {
      await consumeAddress(ctx.visitor.address);
      const { url, token } = await startSso(ctx.visitor, input);
      ctx.setCookie(signInCookieHeader(token));
      return { url };
    }),
  ),
  /** Cancels the sign-in, so that it starts again at the first step. */
  cancel: procedure.mutation(({ ctx }) =>
    mapped(async () => {
      if (ctx.signInToken) await dropChallenge(sql, ctx.signInToken);
      ctx.setCookie(signInCookieHeader(null));
    }),
  ),
});
