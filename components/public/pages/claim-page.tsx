import { BadgeCheck, CalendarX, CirclePause, Clock, MailX, SearchX, Users } from "lucide-react";
import type { ReactNode } from "react";
import { PublicFrame } from "@/components/public/frame";
import { FormField } from "@/components/public/form-field";
import { IssuerBrand } from "@/components/public/issuer-brand";
import { Message } from "@/components/public/message";
import { PageLink } from "@/components/public/page-link";
import { buttonLook, PlainButton } from "@/components/public/plain-button";
import type { Progress } from "@/server/claims/load-progress";
import type { Brand } from "@/server/templates/brand";
import type { CredentialState } from "@/server/credentials/states";
import { Document, type Assets } from "./document";
import { say, sayOf } from "@/components/public/words";

interface Props {
  assets: Assets;
  code: string;
  title: string;
  organisation: string;
  /** The organisation's time zone, in which times are entered. */
  timeZone: string;
  brand: Brand;
  state: "open" | "used_up" | "ended";
  needsApproval: boolean;
  progress: Progress;
  /** Whether the service can mail codes. */
  sendsMail: boolean;
  /** The entered values and their errors by the name of the input; `form` for an error of the whole form. */
  entered: Record<string, string>;
  errors: Record<string, string>;
}

/** The page of a claim link: the visitor proves an address, fills in the form and gets the credential. */
export function ClaimPage(props: Props) {
  const { assets, title, organisation, brand } = props;
  return (
    <Document
      assets={assets}
      title={title}
      robots="noindex, nofollow"
      description={say("{organisation} offers you a credential. Prove an address to hold it.", { organisation })}
    >
      <PublicFrame footer={say("Bonafide hands this out on behalf of {organisation}.", { organisation })}>
        <div className="mx-auto max-w-lg">
          <IssuerBrand brand={brand} organisation={organisation} does={say("offers you")} title={title} />
          <div className="mt-6">
            <Step {...props} />
          </div>
        </div>
      </PublicFrame>
    </Document>
  );
}

function Step(props: Props) {
  const { progress, state, sendsMail, organisation } = props;
  if (progress.step === "done") return <Done progress={progress} organisation={organisation} code={props.code} />;
  if (progress.step === "held")
    return <AlreadyHeld progress={progress} organisation={organisation} code={props.code} />;
  if (state === "used_up")
    return (
      <Message icon={Users} title={say("All places are taken")} tone="warning">
        <p>
          {say("Nobody else can claim it under this link. Ask {organisation} whether there will be more places.", {
            organisation,
          })}
        </p>
      </Message>
    );
  if (state === "ended")
    return (
      <Message icon={CalendarX} title={say("This offer has ended")} tone="warning">
        <p>{say("It can no longer be claimed. Ask {organisation} for another link.", { organisation })}</p>
      </Message>
    );
  if (!sendsMail)
    return (
      <Message icon={MailX} title={say("This cannot be claimed yet")} tone="warning">
        <p>
          {say(
            "The service sends no e-mail, so it cannot check your address. Tell {organisation}: an SMTP server has to be set up first.",
            { organisation },
          )}
        </p>
      </Message>
    );
  if (progress.step === "address") return <AddressForm {...props} />;
  if (progress.step === "code") return <CodeForm {...props} email={progress.email} />;
  return <FieldsForm {...props} progress={progress} />;
}

function Panel({ heading, children, error }: { heading: string; children: ReactNode; error?: string | undefined }) {
  return (
    <section aria-labelledby="step" className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
      <h1 id="step" className="text-lg font-semibold">
        {heading}
      </h1>
      {error && (
        <p role="alert" className="mt-3 rounded-lg bg-danger/10 px-3.5 py-2.5 text-sm text-danger">
          {sayOf(error)}
        </p>
      )}
      {children}
    </section>
  );
}

function AddressForm({ code, entered, errors }: Props) {
  return (
    <Panel heading={say("Your e-mail address")} error={errors["form"]}>
      <form method="post" action={`/claim/${code}`} className="mt-4 space-y-5">
        <input type="hidden" name="step" value="address" />
        <FormField
          name="email"
          label={say("E-mail")}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={320}
          value={entered["email"]}
          error={errors["email"]}
          hint={say("We send a code to it, so that nobody claims in your name.")}
        />
        <Submit>{say("Send me a code")}</Submit>
      </form>
    </Panel>
  );
}

function CodeForm({ code, email, entered, errors }: Props & { email: string }) {
  return (
    <Panel heading={say("Enter the code")} error={errors["form"]}>
      <p className="mt-2 text-sm text-pretty text-muted">
        {say("We sent six digits to")} <strong className="font-medium wrap-anywhere text-foreground">{email}</strong>
        {say(". They work for 15 minutes.")}
      </p>
      <form method="post" action={`/claim/${code}`} className="mt-4 space-y-5">
        <input type="hidden" name="step" value="code" />
        <FormField
          name="digits"
          label={say("Code from the e-mail")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={entered["digits"]}
          error={errors["digits"]}
          hasFocus
        />
        <Submit>{say("Continue")}</Submit>
      </form>
      <StartAgain code={code} label={say("Use another address, or send a new code")} />
    </Panel>
  );
}

function FieldsForm({
  code,
  progress,
  entered,
  errors,
  needsApproval,
  organisation,
  timeZone,
}: Props & { progress: Extract<Progress, { step: "fields" }> }) {
  const { email, recordName, fields, known } = progress;
  return (
    <Panel heading={say("Your details")} error={errors["form"]}>
      {recordName === null && (
        <p className="mt-2 text-sm text-pretty text-muted">
          {say("For")} <strong className="font-medium wrap-anywhere text-foreground">{email}</strong>
        </p>
      )}
      {recordName !== null && (
        <p className="mt-2 text-sm text-pretty text-muted">
          {say("{organisation} knows", { organisation })} <span className="wrap-anywhere">{email}</span>
          {recordName !== "" && (
            <>
              {" "}
              {say("as")} <strong className="font-medium text-foreground">{recordName}</strong>
              {say(", and issues the credential under that name")}
            </>
          )}
          {say(". If that is not you, do not go on, and tell {organisation}.", { organisation })}
        </p>
      )}
      {known.length > 0 && (
        <>
          <dl className="mt-4 space-y-2 rounded-lg border px-3.5 py-3 text-sm">
            {known.map(({ label, value }) => (
              <div key={label} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-muted">{label}</dt>
                <dd className="font-medium wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-2 text-xs text-pretty text-muted">
            {say("{organisation} has this on record. If something is wrong, ask them to correct it before you go on.", {
              organisation,
            })}
          </p>
        </>
      )}
      <form method="post" action={`/claim/${code}`} className="mt-4 space-y-5">
        <input type="hidden" name="step" value="fields" />
        {recordName === null && (
          <FormField
            name="name"
            label={say("Your name")}
            autoComplete="name"
            value={entered["name"]}
            error={errors["name"]}
            hint={say("As it should appear on the credential.")}
          />
        )}
        {fields.map(({ name, label, isRequired, format }) => (
          <FormField
            key={name}
            name={name}
            label={label}
            isRequired={isRequired}
            type={format === "date" ? "date" : format === "datetime" ? "datetime-local" : "text"}
            {...(format === "datetime" && { hint: say("In the time zone {zone}.", { zone: timeZone }) })}
            {...(format === "number" && { inputMode: "decimal" as const })}
            value={entered[name]}
            error={errors[name]}
          />
        ))}
        <Submit>{say(needsApproval ? "Ask for it" : "Get it now")}</Submit>
        {needsApproval && (
          <p className="text-xs text-pretty text-muted">
            {say("{organisation} checks each request before it issues the credential.", { organisation })}
          </p>
        )}
      </form>
      <StartAgain code={code} label={say("{email} is not my address", { email })} />
    </Panel>
  );
}

function Done({
  progress,
  organisation,
  code,
}: {
  progress: Extract<Progress, { step: "done" }>;
  organisation: string;
  code: string;
}) {
  const { state, credentialCode, credentialState, reason, confirmUrl } = progress;
  if (state === "issued" && credentialCode && credentialState && noUse[credentialState])
    return (
      <AlreadyHeld
        progress={{ step: "held", email: progress.email, state: credentialState, credentialCode }}
        organisation={organisation}
        code={code}
      />
    );
  if (state === "issued")
    return (
      <>
        <Message icon={BadgeCheck} title={say("It is yours")}>
          <p>{say("Open it, keep its link, and show it to whoever asks.")}</p>
          {credentialCode && (
            <a href={`/c/${credentialCode}`} className={`${buttonLook("primary", "lg")} mt-4`}>
              {say("Open my credential")}
            </a>
          )}
        </Message>
        <AllMine />
        <StartAgain code={code} label={say("Claim with another address")} />
      </>
    );
  if (state === "confirming")
    return (
      <Message icon={Clock} title={say("One thing is left: your name")}>
        <p>
          {say("{organisation} issues it as soon as you confirm that your name is right.", { organisation })}{" "}
          {confirmUrl ? "" : say("The link for that has expired: ask {organisation} for a new one.", { organisation })}
        </p>
        {confirmUrl && (
          <a href={confirmUrl} className={`${buttonLook("primary", "lg")} mt-4`}>
            {say("Look at my name")}
          </a>
        )}
      </Message>
    );
  if (state === "rejected")
    return (
      <Message icon={SearchX} title={say("{organisation} did not approve it", { organisation })} tone="warning">
        {reason && <p>“{reason}”</p>}
        <p className="mt-2">{say("If you think that is a mistake, ask {organisation}.", { organisation })}</p>
      </Message>
    );
  return (
    <Message icon={Clock} title={say("{organisation} looks at it first", { organisation })}>
      <p>
        {say("You get an e-mail when it is decided. You can also come back to this link and prove your address again.")}
      </p>
    </Message>
  );
}

/** Says what applies to a credential that is not valid at the moment. */
const noUse: Partial<Record<CredentialState, string>> = {
  suspended: "It is suspended, so it is not valid at the moment.",
  expired: "It has expired.",
  revoked: "It was revoked, so it is no longer valid.",
};

/** The person has the credential already: nothing has to be entered, and nothing was stored. */
function AlreadyHeld({
  progress,
  organisation,
  code,
}: {
  progress: Extract<Progress, { step: "held" }>;
  organisation: string;
  code: string;
}) {
  const { email, state, credentialCode } = progress;
  const problem = noUse[state];
  return (
    <>
      <Message
        icon={problem ? CirclePause : BadgeCheck}
        title={say("You hold it already")}
        {...(problem && { tone: "warning" as const })}
      >
        <p>
          {say("{organisation} issued it to", { organisation })} <span className="wrap-anywhere">{email}</span>.{" "}
          {problem
            ? `${say(problem)} ${say("Ask {organisation} why, and what you can do.", { organisation })}`
            : state === "pending"
              ? say("It is not valid yet.")
              : say("It is valid.")}
        </p>
        <a href={`/c/${credentialCode}`} className={`${buttonLook("primary", "lg")} mt-4`}>
          {say("Open my credential")}
        </a>
      </Message>
      <AllMine />
      <StartAgain code={code} label={say("Claim with another address")} />
    </>
  );
}

const AllMine = () => (
  <PageLink href="/home" className="mt-4 block w-fit text-sm font-medium text-link underline-offset-4 hover:underline">
    {say("All my credentials")}
  </PageLink>
);

function StartAgain({ code, label }: { code: string; label: string }) {
  return (
    <form method="post" action={`/claim/${code}`} className="mt-4">
      <input type="hidden" name="step" value="restart" />
      <button
        type="submit"
        className="min-h-6 cursor-pointer rounded-md text-left text-sm font-medium text-link underline-offset-4 hover:underline"
      >
        {label}
      </button>
    </form>
  );
}

const Submit = ({ children }: { children: ReactNode }) => (
  <PlainButton type="submit" size="lg" className="h-12 w-full text-base md:h-12">
    {children}
  </PlainButton>
);

/** The page for an unknown claim code. */
export function UnknownClaimPage({ assets }: { assets: Assets }) {
  return (
    <Document assets={assets} title={say("Unknown link")} robots="noindex">
      <PublicFrame footer={say("Bonafide hands out credentials on behalf of organisations.")}>
        <Message icon={SearchX} title={say("There is no such link")}>
          <p>{say("Perhaps a character is missing or was misread. If it is right, ask whoever gave it to you.")}</p>
        </Message>
      </PublicFrame>
    </Document>
  );
}
