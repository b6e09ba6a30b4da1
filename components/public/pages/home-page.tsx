import {
  BadgeCheck,
  Ban,
  CalendarX2,
  ChevronRight,
  CirclePause,
  Hourglass,
  Link2Off,
  MailCheck,
  MailX,
  RefreshCw,
} from "lucide-react";
import type { ReactNode } from "react";
import { FormField } from "@/components/public/form-field";
import { PublicFrame } from "@/components/public/frame";
import { Message } from "@/components/public/message";
import { PageLink } from "@/components/public/page-link";
import { buttonLook, PlainButton } from "@/components/public/plain-button";
import { formatDay, formatUntil, type Region } from "@/server/core/dates";
import type { Entry } from "@/server/holders/load-entry";
import type { HeldCredential, Home, HomePerson } from "@/server/holders/load-home";
import { Document, type Assets } from "./document";
import { say } from "@/components/public/words";

interface FrameProps {
  assets: Assets;
  title: string;
  children: ReactNode;
}

const HomeFrame = ({ assets, title, children }: FrameProps) => (
  <Document
    assets={assets}
    title={title}
    robots="noindex, nofollow"
    description={say("All credentials that you hold in this service, on one page.")}
  >
    <PublicFrame
      footer={say("The link in the e-mail and this page are for you alone. Sign out on a device that others use.")}
    >
      <div className="mx-auto max-w-lg">{children}</div>
    </PublicFrame>
  </Document>
);

interface DoorProps {
  assets: Assets;
  sendsMail: boolean;
  /** Whether a link was just requested. */
  hasSent: boolean;
  /** Whether a form arrived after the session had ended. */
  isOver: boolean;
  entered: Record<string, string>;
  errors: Record<string, string>;
}

/** The sign-in page. It looks the same for known and unknown addresses. */
export function HomeDoorPage({ assets, sendsMail, hasSent, isOver, entered, errors }: DoorProps) {
  return (
    <HomeFrame assets={assets} title={say("My credentials")}>
      {!sendsMail ? (
        <Message icon={MailX} title={say("This page cannot be entered yet")} tone="warning">
          <p>
            {say(
              "The service sends no e-mail, so it cannot check that an address is yours. Ask the organisation that issued your credential.",
            )}
          </p>
        </Message>
      ) : hasSent ? (
        <Message icon={MailCheck} title={say("Look into your mailbox")}>
          <p>
            {say(
              "If something was issued to that address, a link is on its way. It works once, for an hour. If none comes, look into the junk folder, or try the address that the organisation knows.",
            )}
          </p>
          <PageLink href="/home" className={`${buttonLook("outline")} mt-4`}>
            {say("Another address")}
          </PageLink>
        </Message>
      ) : (
        <section aria-labelledby="step" className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
          <h1 id="step" className="text-xl font-semibold">
            {say("My credentials")}
          </h1>
          {isOver && (
            <p role="alert" className="mt-3 rounded-lg bg-danger/10 px-3.5 py-2.5 text-sm text-pretty text-danger">
              {say("You were signed out after an hour, so what you entered was not sent. Enter again, and repeat it.")}
            </p>
          )}
          <p className="mt-2 text-sm text-pretty text-muted">
            {say("See everything that was issued to you here. Enter your e-mail address, and we send you a link.")}
          </p>
          <form method="post" action="/home" className="mt-5 space-y-5">
            <input type="hidden" name="step" value="ask" />
            <FormField
              name="email"
              label={say("E-mail")}
              type="email"
              inputMode="email"
              autoComplete="email"
              maxLength={320}
              value={entered["email"]}
              error={errors["email"]}
            />
            <PlainButton type="submit" size="lg" className="h-12 w-full text-base md:h-12">
              {say("Send me a link")}
            </PlainButton>
          </form>
        </section>
      )}
    </HomeFrame>
  );
}

interface EntryProps {
  assets: Assets;
  token: string;
  /** Null for a link that is no longer valid. */
  entry: Entry | null;
  /** Whether the reader just declined to add the address. */
  isDeclined: boolean;
}

/** The page of a mailed link. Only its button uses the link up, because mail scanners open links too. */
export function HomeEntryPage({ assets, token, entry, isDeclined }: EntryProps) {
  return (
    <HomeFrame assets={assets} title={say("My credentials")}>
      {isDeclined ? (
        <Message icon={Link2Off} title={say("Nothing was added")}>
          <p>{say("Your address leads to nobody else’s credentials. You can close this page.")}</p>
        </Message>
      ) : entry === null ? (
        <Message icon={Link2Off} title={say("This link works no more")} tone="warning">
          <p>{say("It was used already, or its hour is over.")}</p>
          <PageLink href="/home" className={`${buttonLook("primary")} mt-4`}>
            {say("Send me a new one")}
          </PageLink>
        </Message>
      ) : (
        <section aria-labelledby="step" className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
          <h1 id="step" className="text-xl font-semibold">
            {say(entry.joins ? "Are these your credentials?" : "My credentials")}
          </h1>
          {entry.joins ? (
            <Joining email={entry.email} joins={entry.joins} />
          ) : (
            <p className="mt-2 text-sm text-pretty text-muted">
              {say("You enter with")} <span className="wrap-anywhere">{entry.email}</span>
              {say(", and stay signed in on this device for an hour.")}
            </p>
          )}
          <form method="post" action="/home/enter" className="mt-5 space-y-3">
            <input type="hidden" name="token" value={token} />
            <PlainButton
              type="submit"
              name="answer"
              value="yes"
              size="lg"
              className="h-12 w-full text-base whitespace-normal md:h-12"
            >
              {say(entry.joins ? "Yes, add my address" : "Continue")}
            </PlainButton>
            {entry.joins && (
              <button
                type="submit"
                name="answer"
                value="no"
                className={`${buttonLook("outline", "lg")} h-12 w-full text-base md:h-12`}
              >
                {say("No, this is not me")}
              </button>
            )}
          </form>
        </section>
      )}
    </HomeFrame>
  );
}

/** Says whose credentials an address will give access to. */
function Joining({ email, joins }: { email: string; joins: NonNullable<Entry["joins"]> }) {
  return (
    <>
      <p className="mt-2 text-sm text-pretty text-muted">
        {say("Somebody asked that")} <strong className="font-medium wrap-anywhere text-foreground">{email}</strong>{" "}
        {say("lead to the credentials of:")}
      </p>
      <ul className="mt-3 divide-y rounded-lg border">
        {joins.map(({ name, organisation }) => (
          <li key={`${organisation} ${name}`} className="px-3.5 py-2.5">
            <span className="block font-medium wrap-anywhere">{name || say("No name on record")}</span>
            <span className="block text-sm wrap-anywhere text-muted">{organisation}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-pretty text-muted">
        {say(
          "Say yes only if that is you. They do not see what was issued to your address. You stay signed in on this device for an hour.",
        )}
      </p>
    </>
  );
}

interface HomeProps {
  assets: Assets;
  home: Home;
  /** The confirmation of the last action, as a sentence. */
  done: string | null;
  /** The person whose form was refused, with the entered values and the errors. */
  refused: { id: string; entered: Record<string, string>; errors: Record<string, string> } | null;
}

/** The holder's home: credentials, addresses and names. */
export function HomePage({ assets, home, done, refused }: HomeProps) {
  return (
    <HomeFrame assets={assets} title={say("My credentials")}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-[-0.015em]">{say("My credentials")}</h1>
          <p className="mt-1 text-sm wrap-anywhere text-muted">{home.email}</p>
        </div>
        <Action step="leave" label={say("Sign out")} look={buttonLook("outline")} />
      </div>
      {done && (
        <p role="status" className="mt-4 rounded-lg bg-success/10 px-3.5 py-2.5 text-sm">
          {say(done)}
        </p>
      )}
      {home.people.length === 0 && (
        <p className="mt-6 rounded-2xl border bg-surface p-5 text-pretty text-muted shadow-surface">
          {say("Nothing was issued to this address.")}
        </p>
      )}
      {home.people.map((person) => (
        <Person key={person.id} person={person} refused={refused?.id === person.id ? refused : null} />
      ))}
      {home.people.length > 0 && <FurtherAddress home={home} refused={refused?.id === "address" ? refused : null} />}
    </HomeFrame>
  );
}

function Person({ person, refused }: { person: HomePerson; refused: HomeProps["refused"] }) {
  const { id, organisation, name, brand, credentials, older, region } = person;
  return (
    <section aria-labelledby={id} className="mt-6 overflow-hidden rounded-2xl border bg-surface shadow-surface">
      <header
        className={brand ? "border-b-4 px-5 py-4" : "px-5 pt-5"}
        {...(brand && {
          style: {
            backgroundColor: brand.colors.background,
            color: brand.colors.foreground,
            borderColor: brand.colors.accent,
          },
        })}
      >
        {brand?.logo && (
          <img src={brand.logo} alt="" className="mb-3 h-8 w-auto max-w-full object-contain object-left" />
        )}
        <h2 id={id} className="font-semibold wrap-anywhere">
          {organisation}
        </h2>
        <p className={`text-sm wrap-anywhere ${brand ? "" : "text-muted"}`}>{name || say("No name on record")}</p>
      </header>
      {credentials.length === 0 ? (
        <p className="px-5 pt-3 text-sm text-muted">{say("Nothing was issued to you yet.")}</p>
      ) : (
        <ul className={brand ? "divide-y" : "mt-3 divide-y border-t"}>
          {credentials.map((credential) => (
            <Held key={credential.code} credential={credential} region={region} />
          ))}
        </ul>
      )}
      {older > 0 && (
        <p className="border-t px-5 py-3.5 text-sm text-pretty text-muted">
          {say("These are the newest {shown}. Ask {organisation} for the other {older}.", {
            shown: `${credentials.length}`,
            organisation,
            older: `${older}`,
          })}
        </p>
      )}
      <div className="border-t px-5 py-4">
        <NameForm person={person} refused={refused} />
      </div>
    </section>
  );
}

const looks = {
  pending: { icon: Hourglass, word: "Not yet valid", tone: "text-muted" },
  active: { icon: BadgeCheck, word: "Valid", tone: "text-success" },
  suspended: { icon: CirclePause, word: "Suspended", tone: "text-muted" },
  expired: { icon: CalendarX2, word: "Expired", tone: "text-muted" },
  revoked: { icon: Ban, word: "Revoked", tone: "text-danger" },
};
const replaced = { icon: RefreshCw, word: "Replaced", tone: "text-muted" };

function Held({ credential, region }: { credential: HeldCredential; region: Region }) {
  const { icon: Icon, word, tone } = credential.isReplaced ? replaced : looks[credential.state];
  const until = credential.state === "active" && credential.expiresAt;
  const { distinction } = credential;
  return (
    <li>
      <a href={`/c/${credential.code}`} className="flex items-center gap-3 px-5 py-3.5 hover:bg-surface-secondary">
        <Icon aria-hidden="true" className={`size-5 shrink-0 ${tone}`} />
        <span className="min-w-0 flex-1">
          <span className="block font-medium wrap-anywhere">{credential.title}</span>
          {distinction && (
            <span className="block text-sm wrap-anywhere">
              {distinction.field && `${distinction.field.label}: ${distinction.field.text} · `}
              {say("From {day}", { day: formatDay(distinction.from, region) })}
              {distinction.needsCode && ` · ${credential.code}`}
            </span>
          )}
          <span className="block text-sm text-muted">
            {until ? say("Valid through {day}", { day: formatUntil(until, region) }) : say(word)}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </a>
    </li>
  );
}

function NameForm({ person, refused }: { person: HomePerson; refused: HomeProps["refused"] }) {
  const { id, organisation, nameRequest } = person;
  if (nameRequest?.state === "waiting")
    return (
      <p className="text-sm text-pretty text-muted">
        {say("You asked for the name")} <strong className="font-medium text-foreground">{nameRequest.name}</strong>
        {say(". {organisation} looks at it.", { organisation })}
      </p>
    );
  return (
    <>
      {nameRequest?.state === "rejected" && (
        <p className="mb-3 text-sm text-pretty wrap-anywhere text-muted">
          {say("{organisation} did not change the name to {name}", { organisation, name: nameRequest.name })}
          {nameRequest.reason ? `: “${nameRequest.reason}”` : "."}
        </p>
      )}
      <details open={refused !== null}>
        <summary className="w-fit cursor-pointer rounded-md py-0.5 text-sm font-medium text-link">
          {say("My name is not right")}
        </summary>
        <form method="post" action="/home" className="mt-4 space-y-4">
          <input type="hidden" name="step" value="name" />
          <input type="hidden" name="subjectId" value={id} />
          <FormField
            name="name"
            label={say("Your name")}
            autoComplete="name"
            value={refused?.entered["name"]}
            error={refused?.errors["name"]}
          />
          <FormField
            name="note"
            label={say("What should they know?")}
            isRequired={false}
            maxLength={500}
            value={refused?.entered["note"]}
            error={refused?.errors["note"]}
            hint={say("{organisation} reads it, and may ask you for a document.", { organisation })}
          />
          <PlainButton type="submit">{say("Ask for this name")}</PlainButton>
        </form>
      </details>
    </>
  );
}

function FurtherAddress({ home, refused }: { home: Home; refused: HomeProps["refused"] }) {
  const added = [...new Set(home.people.flatMap(({ addresses }) => addresses))];
  const sharing = new Set(
    home.people.filter(({ sharesAddress }) => sharesAddress).map((person) => person.organisation),
  );
  const canAdd = home.people.some(({ sharesAddress }) => !sharesAddress);
  return (
    <section aria-labelledby="addresses" className="mt-6 rounded-2xl border bg-surface p-5 shadow-surface">
      <h2 id="addresses" className="font-semibold">
        {say("Keep access")}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted">
        {say("Add an address of your own. It leads here too, also when the organisation’s address is no longer yours.")}
      </p>
      {added.length > 0 && (
        <ul className="mt-3 divide-y rounded-lg border">
          {added.map((email) => (
            <li key={email} className="flex items-center justify-between gap-3 px-3.5 py-2">
              <span className="min-w-0 text-sm wrap-anywhere">{email}</span>
              <Action
                step="remove"
                label={say("Remove")}
                name={email}
                look={buttonLook("outline")}
                fields={{ email }}
              />
            </li>
          ))}
        </ul>
      )}
      {[...sharing].map((organisation) => (
        <p key={organisation} className="mt-3 text-sm text-pretty wrap-anywhere">
          {say(
            "Several people at {organisation} share this address, so no other address can be added for them here. Ask {organisation} to record an address of your own.",
            { organisation },
          )}
        </p>
      ))}
      {canAdd && (
        <form method="post" action="/home" className="mt-4 space-y-4">
          <input type="hidden" name="step" value="address" />
          <FormField
            name="email"
            label={say("Another e-mail address")}
            type="email"
            inputMode="email"
            autoComplete="off"
            maxLength={320}
            value={refused?.entered["email"]}
            error={refused?.errors["email"]}
          />
          <PlainButton type="submit">{say("Send a link to it")}</PlainButton>
        </form>
      )}
    </section>
  );
}

function Action({
  step,
  label,
  name,
  look,
  fields = {},
}: {
  step: string;
  label: string;
  /** Completes the button's accessible name for screen readers. */
  name?: string;
  look: string;
  fields?: Record<string, string>;
}) {
  return (
    <form method="post" action="/home">
      <input type="hidden" name="step" value={step} />
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <button type="submit" className={look} {...(name && { "aria-label": `${label} ${name}` })}>
        {label}
      </button>
    </form>
  );
}
