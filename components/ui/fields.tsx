"use client";
import { Description, FieldError, Form, Input, Label, TextArea, TextField } from "@heroui/react";
import { useEffect, useRef, useState, type ComponentProps, type FormEvent, type HTMLInputTypeAttribute, type ReactNode } from "react";
import { fieldErrors, type Problem } from "@/components/problem";
import { Notice } from "./notice";

interface FormProps {
  /** What the last try was refused with. Errors appear at the fields they point to, the rest above the form. */
  problem: Problem | null;
  onSubmit(): void;
  children: ReactNode;
  className?: string;
}

/** A form whose fields are named like the members of the input they make, so that a refusal lands where it belongs. */
export function ProblemForm({ problem, onSubmit, children, className = "" }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [elsewhere, setElsewhere] = useState<Problem | null>(null);
  useEffect(() => setElsewhere(problem && withoutPlaced(problem, form.current)), [problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Form ref={form} validationErrors={fieldErrors(problem)} validationBehavior="aria" onSubmit={submit} className={`space-y-4 ${className}`}>
      {elsewhere && <ProblemNotice problem={elsewhere} />}
      {children}
    </Form>
  );
}

/** The problem without the errors that a field of the form shows; null where nothing is left to say. */
function withoutPlaced(problem: Problem, form: HTMLFormElement | null): Problem | null {
  if (!problem.errors?.length) return problem;
  const errors = problem.errors.filter((e) => !form?.querySelector(`[name="${CSS.escape(e.pointer.slice(1))}"]`));
  return errors.length > 0 ? { ...problem, errors } : null;
}

/** A refusal as a whole. */
function ProblemNotice({ problem }: { problem: Problem }) {
  if (!problem.errors?.length) return <Notice tone="danger" title={problem.title}>{problem.detail}</Notice>;
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

interface TextInputProps extends Pick<ComponentProps<typeof TextField>, "isRequired" | "isDisabled" | "isReadOnly" | "autoFocus" | "maxLength"> {
  label: string;
  name?: string;
  value: string;
  onChange(value: string): void;
  description?: ReactNode;
  placeholder?: string;
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  inputMode?: "numeric" | "email" | "url";
  mono?: boolean;
  className?: string;
}

export function TextInput({ label, description, placeholder, autoComplete, inputMode, mono = false, className = "", ...field }: TextInputProps) {
  return (
    <TextField {...field} fullWidth className={className}>
      <Label>{label}</Label>
      <Input placeholder={placeholder} autoComplete={autoComplete ?? "off"} inputMode={inputMode} className={mono ? "font-mono" : ""} />
      {description && <Description>{description}</Description>}
      <FieldError />
    </TextField>
  );
}

interface TextInputAreaProps extends Omit<TextInputProps, "type" | "autoComplete" | "inputMode"> {
  rows?: number;
}

export function TextInputArea({ label, description, placeholder, mono = false, rows = 3, className = "", ...field }: TextInputAreaProps) {
  return (
    <TextField {...field} fullWidth className={className}>
      <Label>{label}</Label>
      <TextArea placeholder={placeholder} rows={rows} className={mono ? "font-mono text-xs!" : ""} />
      {description && <Description>{description}</Description>}
      <FieldError />
    </TextField>
  );
}
