"use client";
import { Description, FieldError, Form, Input, Label, TextArea, TextField } from "@heroui/react";
import type { ComponentProps, FormEvent, HTMLInputTypeAttribute, ReactNode } from "react";
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Form validationErrors={fieldErrors(problem)} validationBehavior="aria" onSubmit={submit} className={`space-y-4 ${className}`}>
      {problem && <ProblemNotice problem={problem} />}
      {children}
    </Form>
  );
}

/** A refusal as a whole. Where fields are at fault it says how many, for those who cannot see them all. */
export function ProblemNotice({ problem }: { problem: Problem }) {
  const count = problem.errors?.length ?? 0;
  return (
    <Notice tone="danger" title={count > 0 ? (count === 1 ? "One thing needs another look" : `${count} things need another look`) : problem.title}>
      {count > 0 ? <PointerList problem={problem} /> : <p>{problem.detail}</p>}
    </Notice>
  );
}

function PointerList({ problem }: { problem: Problem }) {
  return (
    <ul>
      {problem.errors?.map((e) => (
        <li key={e.pointer + e.code}>
          {e.pointer && <code className="font-mono text-xs">{e.pointer.slice(1)}</code>} {e.message}
        </li>
      ))}
    </ul>
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
