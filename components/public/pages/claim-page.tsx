import { BadgeCheck, CalendarX, CirclePause, Clock, MailX, SearchX, Users } from "lucide-react";
import type { ReactNode } from "react";
import { PublicFrame } from "@/components/public/frame";
import { FormField } from "@/components/public/form-field";
import { Message } from "@/components/public/message";
import { PageLink } from "@/components/public/page-link";
import { buttonLook, PlainButton } from "@/components/public/plain-button";
import type { Progress } from "@/server/claims/load-progress";
import type { CredentialState } from "@/server/credentials/states";
import { Document, type Assets } from "./document";

interface Props {
  assets: Assets;
  code: string;
  title: string;
  organisation: string;
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
  const { assets, title, organisation } = props;
  return (
    <Document
      assets={assets}
      title={title}
      robots="noindex, nofollow"
      description={`${organisation} offers you a credential. Prove an address to hold it.`}
    >
      <PublicFrame footer={`Bonafide hands this out on behalf of ${organisation}.`}>
        <div className="mx-auto max-w-lg">
          <p className="text-sm text-pretty text-muted">
            <bdi>{organisation}</bdi> offers you
          </p>
          <p className="mt-1 text-2xl font-semibold tracking-[-0.015em] text-balance wrap-anywhere">{title}</p>
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
      <Message icon={Users} title="All places are taken" tone="warning">
        <p>Nobody else can claim it under this link. Ask {organisation} whether there will be more places.</p>
      </Message>
    );
  if (state === "ended")
    return (
      <Message icon={CalendarX} title="This offer has ended" tone="warning">
        <p>It can no longer be claimed. Ask {organisation} for another link.</p>
      </Message>
    );
  if (!sendsMail)
    return (
      <Message icon={MailX} title="This cannot be claimed yet" tone="warning">
        <p>
          The service sends no e-mail, so it cannot check your address. Tell {organisation}: an SMTP server has to be
          set up first.
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
          {error}
        </p>
      )}
      {children}
    </section>
  );
}

function AddressForm({ code, entered, errors }: Props) {
  return (
    <Panel heading="Your e-mail address" error={errors["form"]}>
      <form method="post" action={`/claim/${code}`} className="mt-4 space-y-5">
        <input type="hidden" name="step" value="address" />
        <FormField
          name="email"
          label="E-mail"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={320}
          value={entered["email"]}
          error={errors["email"]}
          hint="We send a code to it, so that nobody claims in your name."
        />
        <Submit>Send me a code</Submit>
      </form>
    </Panel>
  );
}

function CodeForm({ code, email, entered, errors }: Props & { email: string }) {
  return (
    <Panel heading="Enter the code" error={errors["form"]}>
      <p className="mt-2 text-sm text-pretty text-muted">
        We sent six digits to <strong className="font-medium wrap-anywhere text-foreground">{email}</strong>. They work
        for 15 minutes.
      </p>
      <form method="post" action={`/claim/${code}`} className="mt-4 space-y-5">
        <input type="hidden" name="step" value="code" />
        <FormField
          name="digits"
          label="Code from the e-mail"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={entered["digits"]}
          error={errors["digits"]}
          hasFocus
        />
        <Submit>Continue</Submit>
      </form>
      <StartAgain code={code} label="Use another address, or send a new code" />
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
}: Props & { progress: Extract<Progress, { step: "fields" }> }) {
  const { email, recordName, fields, known } = progress;
  return (
    <Panel heading="Your details" error={errors["form"]}>
      {recordName === null && (
        <p className="mt-2 text-sm text-pretty text-muted">
          For <strong className="font-medium wrap-anywhere text-foreground">{email}</strong>
        </p>
      )}
      {recordName !== null && (
        <p className="mt-2 text-sm text-pretty text-muted">
          {organisation} knows <span className="wrap-anywhere">{email}</span>
          {recordName !== "" && (
            <>
              {" "}
              as <strong className="font-medium text-foreground">{recordName}</strong>, and issues the credential under
              that name
            </>
          )}
          . If that is not you, do not go on, and tell {organisation}.
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
            {organisation} has this on record. If something is wrong, ask them to correct it before you go on.
          </p>
        </>
      )}
      <form method="post" action={`/claim/${code}`} className="mt-4 space-y-5">
        <input type="hidden" name="step" value="fields" />
        {recordName === null && (
          <FormField
            name="name"
            label="Your name"
            autoComplete="name"
            value={entered["name"]}
            error={errors["name"]}
            hint="As it should appear on the credential."
          />
        )}
        {fields.map(({ name, label, isRequired, format }) => (
          <FormField
            key={name}
            name={name}
            label={label}
            isRequired={isRequired}
            type={format === "date" ? "date" : "text"}
            {...(format === "number" && { inputMode: "decimal" as const })}
            value={entered[name]}
            error={errors[name]}
          />
        ))}
        <Submit>{needsApproval ? "Ask for it" : "Get it now"}</Submit>
        {needsApproval && (
          <p className="text-xs text-pretty text-muted">
            {organisation} checks each request before it issues the credential.
          </p>
        )}
      </form>
      <StartAgain code={code} label={`${email} is not my address`} />
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
        <Message icon={BadgeCheck} title="It is yours">
          <p>Open it, keep its link, and show it to whoever asks.</p>
          {credentialCode && (
            <a href={`/c/${credentialCode}`} className={`${buttonLook("primary", "lg")} mt-4`}>
              Open my credential
            </a>
          )}
        </Message>
        <AllMine />
        <StartAgain code={code} label="Claim with another address" />
      </>
    );
  if (state === "confirming")
    return (
      <Message icon={Clock} title="One thing is left: your name">
        <p>
          {organisation} issues it as soon as you confirm that your name is right.{" "}
          {confirmUrl ? "" : `The link for that has expired: ask ${organisation} for a new one.`}
        </p>
        {confirmUrl && (
          <a href={confirmUrl} className={`${buttonLook("primary", "lg")} mt-4`}>
            Look at my name
          </a>
        )}
      </Message>
    );
  if (state === "rejected")
    return (
      <Message icon={SearchX} title={`${organisation} did not approve it`} tone="warning">
        {reason && <p>“{reason}”</p>}
        <p className="mt-2">If you think that is a mistake, ask {organisation}.</p>
      </Message>
    );
  return (
    <Message icon={Clock} title={`${organisation} looks at it first`}>
      <p>You get an e-mail when it is decided. You can also come back to this link and prove your address again.</p>
    </Message>
  );
}

/** What to say of a credential that proves nothing at the moment. */
const noUse: Partial<Record<CredentialState, string>> = {
  suspended: "It is suspended, so it is not valid at the moment.",
  expired: "It has expired.",
  revoked: "It was revoked, so it is no longer valid.",
};

/** Somebody has the credential: nothing is to be entered, and nothing was taken. */
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
        title="You hold it already"
        {...(problem && { tone: "warning" as const })}
      >
        <p>
          {organisation} issued it to <span className="wrap-anywhere">{email}</span>.{" "}
          {problem
            ? `${problem} Ask ${organisation} why, and what you can do.`
            : state === "pending"
              ? "It is not valid yet."
              : "It is valid."}
        </p>
        <a href={`/c/${credentialCode}`} className={`${buttonLook("primary", "lg")} mt-4`}>
          Open my credential
        </a>
      </Message>
      <AllMine />
      <StartAgain code={code} label="Claim with another address" />
    </>
  );
}

const AllMine = () => (
  <PageLink href="/home" className="mt-4 block w-fit text-sm font-medium text-link underline-offset-4 hover:underline">
    All my credentials
  </PageLink>
);

function StartAgain({ code, label }: { code: string; label: string }) {
  return (
    <form method="post" action={`/claim/${code}`} className="mt-4">
      <input type="hidden" name="step" value="restart" />
      <button
        type="submit"
        className="min-h-6 cursor-pointer rounded-md text-sm font-medium text-link underline-offset-4 hover:underline"
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
    <Document assets={assets} title="Unknown link" robots="noindex">
      <PublicFrame footer="Bonafide hands out credentials on behalf of organisations.">
        <Message icon={SearchX} title="There is no such link">
          <p>Perhaps a character is missing or was misread. If it is right, ask whoever gave it to you.</p>
        </Message>
      </PublicFrame>
    </Document>
  );
}
