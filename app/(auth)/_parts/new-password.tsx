import { TextInput } from "@/components/ui/fields";

export function NewPassword({
  value,
  onChange,
  autoFocus,
}: {
  value: string;
  onChange(value: string): void;
  autoFocus?: boolean;
}) {
  return (
    <TextInput
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      isRequired
      autoFocus={autoFocus}
      description="At least 12 characters. A sentence is easier to remember than symbols."
    />
  );
}
