import { say, sayOf } from "./words";
interface Props {
  name: string;
  label: string;
  value?: string | undefined;
  error?: string | undefined;
  hint?: string | undefined;
  isRequired?: boolean;
  type?: "text" | "email" | "date" | "datetime-local";
  inputMode?: "numeric" | "decimal" | "email";
  autoComplete?: string;
  maxLength?: number;
  hasFocus?: boolean;
}

/** A field of a plain form, with its error. */
export function FormField({
  name,
  label,
  value = "",
  error,
  hint,
  isRequired = true,
  type = "text",
  inputMode,
  autoComplete = "off",
  maxLength = 300,
  hasFocus = false,
}: Props) {
  const told = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={name} className="text-sm font-medium">
        {label}
        {!isRequired && <span className="font-normal text-muted"> {say("(optional)")}</span>}
      </label>
      <input
        id={name}
        name={name}
        type={type}
        defaultValue={value}
        required={isRequired}
        {...(inputMode && { inputMode })}
        autoComplete={autoComplete}
        maxLength={maxLength}
        autoFocus={hasFocus}
        {...(error && { "aria-invalid": true })}
        {...(told && { "aria-describedby": told })}
        className={`input mt-1.5 h-12 w-full px-3.5 text-base sm:text-base ${error ? "outline-2 outline-danger" : ""}`}
      />
      {error && (
        <p id={`${name}-error`} className="mt-1.5 text-sm text-danger">
          {sayOf(error)}
        </p>
      )}
      {hint && (
        <p id={`${name}-hint`} className="mt-1.5 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
