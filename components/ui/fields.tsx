"use client";
import { Button, Description, FieldError, Form, Input, Label, TextArea, TextField } from "@heroui/react";
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type HTMLInputTypeAttribute,
  type ReactNode,
  type RefObject,
} from "react";
import type { Conflict } from "@/components/console/use-basis";
import { useShows } from "@/components/console/missed-refusals";
import { useOnline } from "@/components/console/online";
import { useUnsaved } from "@/components/console/unsaved";
import { fieldErrors, type Problem } from "@/components/problem";
import { DiscardQuestion, useBackGuard, useDialog } from "./dialog";
import { Notice } from "./notice";
import { UnreadContext, useUnreadFields } from "./unread-fields";

interface FormProps {
  /** The refusal of the last attempt. Errors are shown at the fields they point to, the others above the form. */
  problem: Problem | null;
  /** True while the form is being sent: it cannot be sent a second time, and its dialog stays. */
  isPending: boolean;
  /**
   * The present values of all fields. If they differ from the initial or last saved values, the form asks before they
   * are lost.
   */
  entered: unknown;
  onSubmit(): void;
  /** For a form that changes a record: what to do if somebody else saved the record meanwhile. */
  conflict?: Conflict;
  children: ReactNode;
  className?: string;
}

const PendingContext = createContext(false);

/** A form whose fields have the names of the input's members, so that each error is shown at its field. */
export function ProblemForm({ problem, isPending, entered, onSubmit, conflict, children, className = "" }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  const dialog = useDialog();
  const online = useOnline();
  const [elsewhere, setElsewhere] = useState<Problem | null>(null);
  useShows(problem);
  useEffect(() => setElsewhere(problem && withoutPlaced(problem, form.current)), [problem]);
  // The button of a long form is far below its notices.
  useEffect(() => {
    if (elsewhere) notices.current?.scrollIntoView({ block: "nearest" });
  }, [elsewhere]);
  const unread = useUnreadFields();
  // A field that cannot be parsed has no value.
  const unsaved = useIsUnsaved(entered, !dialog && isPending, problem) || unread.has;
  const report = dialog?.report;
  useUnsaved(unsaved);
  useEffect(() => report?.({ unsaved, pending: isPending }), [report, unsaved, isPending]);
  useEffect(() => () => report?.({ unsaved: false, pending: false }), [report]);
  const onPage = usePageGuard(dialog === null, unsaved);
  const errors = useStandingErrors(problem, form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && dialog?.isOpen !== false && !unread.show()) onSubmit();
  };
  return (
    <Form
      ref={form}
      validationErrors={errors}
      validationBehavior="aria"
      onSubmit={submit}
      className={`space-y-4 ${className}`}
    >
      <PendingContext value={isPending}>
        <UnreadContext value={unread.context}>
          {(!online || elsewhere) && (
            <div ref={notices} className="scroll-my-24 space-y-4">
              {!online && (
                <Notice tone="warning" title="You are offline">
                  What you enter stays here. Send it once the connection is back.
                </Notice>
              )}
              {elsewhere &&
                (online || elsewhere.code !== "offline") &&
                (conflict && elsewhere.code === "precondition_failed" ? (
                  <ChangedMeanwhile {...conflict} />
                ) : (
                  <ProblemNotice problem={elsewhere} />
                ))}
            </div>
          )}
          {children}
          {onPage.asking && <DiscardQuestion onKeep={onPage.keep} onDiscard={onPage.discard} />}
        </UnreadContext>
      </PendingContext>
    </Form>
  );
}

/**
 * The errors of fields that nobody has edited since. An error disappears with the first edit. If it disappeared when
 * the field loses focus, by pressing the button below, the button would move away from the pointer and the press would
 * be lost.
 */
function useStandingErrors(problem: Problem | null, form: RefObject<HTMLFormElement | null>) {
  const [edited, setEdited] = useState<{ problem: Problem | null; names: string[] }>({ problem, names: [] });
  useEffect(() => {
    const edit = ({ target }: Event) => {
      const { name } = target as HTMLInputElement;
      if (form.current?.contains(target as Node) && Object.hasOwn(fieldErrors(problem), name))
        setEdited((before) => ({ problem, names: [...(before.problem === problem ? before.names : []), name] }));
    };
    // Listens on the window, after React has processed the edit. If the field rendered earlier, it would get its old
    // value back.
    window.addEventListener("input", edit);
    return () => window.removeEventListener("input", edit);
  }, [problem, form]);
  return useMemo(() => {
    const names = new Set(edited.problem === problem ? edited.names : []);
    return Object.fromEntries(Object.entries(fieldErrors(problem)).filter(([name]) => !names.has(name)));
  }, [problem, edited]);
}

/**
 * Whether the form differs from its initial values or, on a page that stays, from the values that were last sent and
 * accepted.
 */
function useIsUnsaved(entered: unknown, isPending: boolean, problem: Problem | null): boolean {
  const now = JSON.stringify(entered);
  const [saved, setSaved] = useState(now);
  const [sent, setSent] = useState<string | null>(null);
  const [isEdited, setEdited] = useState(false);
  if (isPending && sent === null) {
    setSent(now);
    setEdited(false);
  } else if (isPending && isEdited !== (now !== sent)) setEdited(now !== sent);
  else if (!isPending && sent !== null) {
    setSent(null);
    // The answer may have put what was saved, such as a trimmed name, into fields that were not edited meanwhile.
    if (!problem) setSaved(isEdited ? sent : now);
  }
  return now !== saved;
}

/** For a form outside of a dialog: makes the browser's Back ask before its content is lost. */
function usePageGuard(isOnPage: boolean, unsaved: boolean) {
  const [asking, setAsking] = useState(false);
  const form = useRef({ unsaved, pending: false });
  useEffect(() => {
    form.current = { unsaved, pending: false };
  }, [unsaved]);
  useBackGuard(isOnPage, form, () => setAsking(true));
  if (asking && !unsaved) setAsking(false);
  return {
    asking,
    keep: () => setAsking(false),
    discard() {
      form.current = { unsaved: false, pending: false };
      setAsking(false);
      window.history.back();
    },
  };
}

/** Closes the form's dialog, and asks first if something would be lost. */
export function CancelButton({ autoFocus = false, label = "Cancel" }: { autoFocus?: boolean; label?: string }) {
  const dialog = useDialog();
  const isPending = useContext(PendingContext);
  return (
    <Button variant="outline" isDisabled={isPending} autoFocus={autoFocus} onPress={() => dialog?.close()}>
      {label}
    </Button>
  );
}

/** Submits a form without its submit button, under the same condition that every field can be parsed. */
export function SendButton({
  onSend,
  isPending,
  isDisabled = false,
  children,
}: {
  onSend(): void;
  isPending: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}) {
  const unread = useContext(UnreadContext);
  return (
    <Button isPending={isPending} isDisabled={isDisabled} onPress={() => !unread?.show() && onSend()}>
      {children}
    </Button>
  );
}

/** Returns the problem without the errors that a field of the form shows; null if none is left. */
function withoutPlaced(problem: Problem, form: HTMLFormElement | null): Problem | null {
  if (!problem.errors?.length) return problem;
  const errors = problem.errors.filter((e) => !form?.querySelector(`[name="${CSS.escape(e.pointer.slice(1))}"]`));
  return errors.length > 0 ? { ...problem, errors } : null;
}

/** Says that somebody else saved the record after the form was opened. Nothing is lost before the person has chosen. */
function ChangedMeanwhile({ clashes, canKeep, keep, reload }: Conflict) {
  return (
    <Notice tone="warning" title="Changed meanwhile">
      <p role="alert">
        Somebody saved this after you opened it, so nothing was saved now. What you entered is still here.
      </p>
      {clashes.length > 0 && (
        <>
          <p className="mt-2">{clashes.length === 1 ? "Both of you changed this:" : "Both of you changed these:"}</p>
          <dl className="mt-1 max-h-56 scrollbar space-y-1.5 overflow-y-auto" aria-label="Changed by both" tabIndex={0}>
            {clashes.map(({ field, mine, theirs }) => (
              <div key={field}>
                <dt className="font-medium wrap-anywhere">
                  <bdi>{field}</bdi>
                </dt>
                <dd className="wrap-anywhere">
                  You: <bdi>{mine}</bdi>
                </dd>
                <dd className="wrap-anywhere">
                  Saved: <bdi>{theirs}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p className="mt-2">
        {canKeep
          ? "Keeping writes only what you changed; all else stays as it was saved."
          : "What you entered can’t be read. Correct it first to keep it."}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="outline" onPress={reload}>
          Load what was saved
        </Button>
        <Button size="sm" variant="outline" isDisabled={!canKeep} onPress={keep}>
          Keep what I entered
        </Button>
      </div>
    </Notice>
  );
}

/** Shows a refusal as a whole. */
export function ProblemNotice({ problem }: { problem: Problem }) {
  if (problem.code === "unauthenticated") {
    return (
      <Notice
        tone="danger"
        title="Your session has ended"
        action={
          <a href="/sign-in" target="_blank" rel="noopener" className="font-medium underline">
            Sign in in a new tab
          </a>
        }
      >
        What you entered is still here. Sign in again in another tab, then come back and send it.
      </Notice>
    );
  }
  if (!problem.errors?.length) {
    return (
      <Notice tone="danger" title={problem.title}>
        {problem.detail}
        {problem.status >= 500 && problem.requestId && (
          <code className="mt-1 block font-mono text-xs">{problem.requestId}</code>
        )}
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title={problem.title}>
      <ul>
        {problem.errors.map((e) => (
          <li key={e.pointer + e.code}>{e.message}</li>
        ))}
      </ul>
    </Notice>
  );
}

interface TextInputProps
  extends Pick<
    ComponentProps<typeof TextField>,
    "isRequired" | "isDisabled" | "isReadOnly" | "autoFocus" | "maxLength"
  > {
  label: string;
  name?: string;
  value: string;
  onChange(value: string): void;
  description?: ReactNode;
  placeholder?: string;
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  inputMode?: "numeric" | "decimal" | "email" | "url";
  mono?: boolean;
  className?: string;
}

export function TextInput({
  label,
  description,
  placeholder,
  autoComplete,
  inputMode,
  mono = false,
  className = "",
  ...field
}: TextInputProps) {
  return (
    <TextField {...field} fullWidth className={className}>
      <Label>{label}</Label>
      <Input
        placeholder={placeholder}
        autoComplete={autoComplete ?? "off"}
        inputMode={inputMode}
        className={mono ? "font-mono" : ""}
      />
      {description && <Description>{description}</Description>}
      <FieldError />
    </TextField>
  );
}

interface TextInputAreaProps extends Omit<TextInputProps, "type" | "autoComplete" | "inputMode"> {
  rows?: number;
}

export function TextInputArea({
  label,
  description,
  placeholder,
  mono = false,
  rows = 3,
  className = "",
  ...field
}: TextInputAreaProps) {
  return (
    <TextField {...field} fullWidth className={className}>
      <Label>{label}</Label>
      <TextArea placeholder={placeholder} rows={rows} className={mono ? "font-mono text-xs!" : ""} />
      {description && <Description>{description}</Description>}
      <FieldError />
    </TextField>
  );
}
