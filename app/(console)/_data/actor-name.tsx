import { Link } from "@/components/ui/link";
import type { useActors } from "./names";

/** Who acted, with a link to the policy, the connector or the run that did. */
export function ActorName({ actor: { name, href } }: { actor: ReturnType<ReturnType<typeof useActors>> }) {
  if (!href) return <bdi>{name}</bdi>;
  return (
    <Link href={href} className="underline">
      <bdi>{name}</bdi>
    </Link>
  );
}
