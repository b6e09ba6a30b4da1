import { buttonVariants } from "@heroui/react";
import type { ComponentProps } from "react";
import { Link } from "./link";

type Variants = NonNullable<Parameters<typeof buttonVariants>[0]>;
type Props = ComponentProps<typeof Link> & Pick<Variants, "variant" | "size">;

/** A link that looks like a button. */
export function ButtonLink({ variant = "primary", size, className = "", ...rest }: Props) {
  return <Link {...rest} className={`${buttonVariants({ variant, size })} ${className}`} />;
}
