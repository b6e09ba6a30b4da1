import { Link } from "@/components/ui/link";
import type { useActors } from "./names";

/** The name of an actor, linked to its page if it is a policy, a connector or a run. */
export function ActorName({ actor: { name, href } }: { actor: ReturnType<ReturnType<typeof useActors>> }) {
  if (!href) return <bdi>{name}</bdi>;
  return (
    <Link href={href} className="underline">
      <bdi>{name}</bdi>
    </Link>
  );
}
