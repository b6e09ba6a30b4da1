import { BadgeCheck, CalendarX, Clock, Link2Off, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { FormField } from "@/components/public/form-field";
import { PublicFrame } from "@/components/public/frame";
import { IssuerBrand } from "@/components/public/issuer-brand";
import { Message } from "@/components/public/message";
import { PageLink } from "@/components/public/page-link";
import { buttonLook, PlainButton } from "@/components/public/plain-button";
import type { NameLink } from "@/server/confirmations/find-link";
import type { ConfirmationObstacle } from "@/server/credentials/confirmation-obstacle";
import { formatUntil } from "@/server/core/dates";
import { Document, type Assets } from "./document";
import { say, sayOf } from "@/components/public/words";

interface Props {
  assets: Assets;
  token: string;
  link: NameLink;
  /** The values of a refused form. */
  entered: Record<string, string>;
  errors: { form?: string; name?: string };
}

/** The page on which a holder confirms the name, or requests another one, before the credential is issued. */
export function ConfirmPage(props: Props) {
  const { assets, link } = props;
  const forWhom = say("Bonafide asks on behalf of {organisation}. This link is for you alone.", {
    organisation: link.organisation,
  });
  return (
    <Document assets={assets} title={say("Confirm your name")} robots="noindex, nofollow" description={forWhom}>
      <PublicFrame footer={forWhom}>
        <div className="mx-auto max-w-lg">
          <IssuerBrand brand={link.brand} organisation={link.organisation} title={link.title} does={say(does(link))} />
          <div className="mt-6">
            <Step {...props} />
          </div>
        </div>
      </PublicFrame>
    </Document>
  );
}

/** What the organisation does with the credential, as part of a sentence. */
function does({ state, code, obstacle }: NameLink): string {
  if (code !== null || obstacle === "held") return "issued to you";
  if (state === "cancelled") return "does not issue";
  return obstacle === null ? "will issue to you" : "does not issue at present";
}

/** The page for an unknown link, such as one that a newer link replaced. */
export const UnknownConfirmPage = ({ assets }: { assets: Assets }) => (
  <Document assets={assets} title={say("Confirm your name")} robots="noindex, nofollow">
    <PublicFrame footer={say("Bonafide asks on behalf of the organisation that sent you the link.")}>
      <div className="mx-auto max-w-lg">
        <Message icon={Link2Off} title={say("This link works no more")} tone="warning">
          <p>
            {say(
              "A newer link may have replaced it: look for the newest e-mail. Otherwise ask the organisation for one.",
            )}
          </p>
        </Message>
      </div>
    </PublicFrame>
  </Document>
);

function Step(props: Props) {
  const { link, errors, entered } = props;
  const isForm = link.state === "waiting" && link.request?.state !== "waiting" && link.obstacle === null;
  return (
    <>
      {!isForm && errors.form && (
        <p role="alert" className="mb-4 rounded-lg bg-danger/10 px-3.5 py-2.5 text-sm text-danger">
          {sayOf(errors.form)}
          {entered["name"] && (
            <>
              {" "}
              {say("You had asked for the name")} <strong className="wrap-anywhere">{entered["name"]}</strong>.{" "}
              <PageLink href="/home" className="underline">
                {say("Ask for it on your own page")}
              </PageLink>
            </>
          )}
        </p>
      )}
      <Present {...props} />
    </>
  );
}

/** The state of the request: decided, waiting for the organisation, or waiting for the holder. */
function Present(props: Props) {
  const { link } = props;
  const { state, organisation, reason, code, request, obstacle } = link;
  if (state === "confirmed")
    return (
      <Message icon={BadgeCheck} title={say("Your name is confirmed")}>
        <p>{say("Open your credential, keep its link, and show it to whoever asks.")}</p>
        <OpenCredential code={code} />
      </Message>
    );
  if (state === "cancelled" && code !== null)
    return (
      <Message icon={BadgeCheck} title={say("It was issued to you")}>
        <p>{say("{organisation} issued the credential without waiting for your name.", { organisation })}</p>
        <OpenCredential code={code} />
      </Message>
    );
  if (state === "cancelled")
    return (
      <Message icon={SearchX} title={say("{organisation} took it back", { organisation })} tone="warning">
        {reason && <p>“{reason}”</p>}
        <p className="mt-2">{say("If you think that is a mistake, ask {organisation}.", { organisation })}</p>
      </Message>
    );
  if (state === "expired")
    return (
      <Message icon={CalendarX} title={say("This link has expired")} tone="warning">
        <p>{say("Nothing was issued yet. Ask {organisation} to send you a new link.", { organisation })}</p>
      </Message>
    );
  if (request?.state === "waiting")
    return (
      <Message icon={Clock} title={say("{organisation} looks at your wish", { organisation })}>
        <p>
          {say("You asked for the name")} <strong className="font-medium wrap-anywhere">{request.name}</strong>
          {say(". Once that is decided, you get a new link to look at your name again. Nothing is issued before.")}
        </p>
      </Message>
    );
  if (obstacle) return <Obstacle obstacle={obstacle} organisation={organisation} />;
  return <NameForm {...props} />;
}

const OpenCredential = ({ code }: { code: string | null }) => (
  <a href={`/c/${code}`} className={`${buttonLook("primary", "lg")} mt-4`}>
    {say("Open my credential")}
  </a>
);

/** Why nothing can be issued although the request waits, and whether that can change. */
const Obstacle = ({ obstacle, organisation }: { obstacle: ConfirmationObstacle; organisation: string }) => (
  <Message icon={CalendarX} title={say("Nothing can be issued here")} tone="warning">
    <p>{say(obstacleWords[obstacle], { organisation })}</p>
  </Message>
);

const obstacleWords: Record<ConfirmationObstacle, string> = {
  inactive:
    "In the records of {organisation} you are not active at present. Ask them: once that has changed, this link leads on.",
  expired: "The credential was meant for a time that is over. Ask {organisation}, if you still need one.",
  held: "{organisation} has issued this credential to you already. Ask them, if you do not have it.",
  revoked:
    "Since this link was sent, {organisation} revoked a credential of yours of this kind. Ask them whether you get another.",
};

function NameForm({ token, link, entered, errors }: Props) {
  const { name, organisation, request, region, linkExpiresAt } = link;
  const isRefused = errors.name !== undefined;
  return (
    <div className="space-y-5">
      <Panel heading={say("Is this your name?")}>
        {errors.form && (
          <p role="alert" className="mt-3 rounded-lg bg-danger/10 px-3.5 py-2.5 text-sm text-danger">
            {sayOf(errors.form)}
          </p>
        )}
        {request?.state === "rejected" && (
          <p className="mt-3 rounded-lg border px-3.5 py-2.5 text-sm text-pretty">
            {say("{organisation} did not change it to", { organisation })}{" "}
            <span className="wrap-anywhere">{request.name}</span>
            {request.reason ? `: “${request.reason}”` : "."}
          </p>
        )}
        <p className="mt-4 text-xl font-semibold wrap-anywhere">
          <bdi>{name || say("No name on record")}</bdi>
        </p>
        <p className="mt-2 text-sm text-pretty text-muted">
          {say(
            "It will stand on your credential as it is written here, and everyone whom you show it to reads it. Nothing is issued before you confirm. The link works through {day}.",
            { day: formatUntil(linkExpiresAt, region) },
          )}
        </p>
        {name !== "" && (
          <form method="post" action={`/confirm/${token}`} className="mt-5">
            <input type="hidden" name="step" value="confirm" />
            <input type="hidden" name="name" value={name} />
            <PlainButton type="submit" size="lg" className="h-12 w-full text-base md:h-12">
              {say("Yes, issue it")}
            </PlainButton>
          </form>
        )}
      </Panel>
      <details open={isRefused || name === ""} className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
        <summary className="cursor-pointer text-sm font-medium">{say("No, something is wrong")}</summary>
        <form method="post" action={`/confirm/${token}`} className="mt-4 space-y-5">
          <input type="hidden" name="step" value="correct" />
          <FormField
            name="name"
            label={say("Your name as it should stand")}
            autoComplete="name"
            value={entered["name"]}
            error={errors.name}
          />
          <FormField
            name="note"
            label={say("What is wrong")}
            isRequired={false}
            maxLength={500}
            value={entered["note"]}
            hint={say("{organisation} reads it and decides.", { organisation })}
          />
          <button type="submit" className={`${buttonLook("outline", "lg")} h-12 w-full text-base md:h-12`}>
            {say("Ask for this name")}
          </button>
        </form>
      </details>
    </div>
  );
}

const Panel = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <section aria-labelledby="step" className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
    <h1 id="step" className="text-lg font-semibold">
      {heading}
    </h1>
    {children}
  </section>
);
