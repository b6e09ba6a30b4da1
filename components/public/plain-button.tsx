import type { ComponentProps, ReactNode } from "react";

interface Props extends Omit<ComponentProps<"button">, "type" | "onClick"> {
  children: ReactNode;
  variant?: "primary" | "secondary" | "outline";
  size?: "md" | "lg";
  type?: "button" | "submit";
  onPress?: () => void;
}

/** The classes of a button, also for links that look like one. */
export const buttonLook = (variant: NonNullable<Props["variant"]>, size: NonNullable<Props["size"]> = "md"): string =>
  `button button--${size} button--${variant}`;

/**
 * A button of the public pages. It looks like the console's, whose library is ten times as large as all scripts of
 * these pages.
 */
export function PlainButton({
  variant = "primary",
  size = "md",
  type = "button",
  className = "",
  onPress,
  ...rest
}: Props) {
  return <button type={type} className={`${buttonLook(variant, size)} ${className}`} onClick={onPress} {...rest} />;
}
