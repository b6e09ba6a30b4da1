import { Switch } from "@heroui/react";
import { namesHolder, type Design } from "@/server/templates/design";

/** What anyone who has the code sees, and whether the holder's name is among it. */
export function PublicPanel({ design, onName }: { design: Design; onName(isPublic: boolean): void }) {
  return (
    <div className="mb-3 rounded-lg border p-3">
      <p className="text-[0.8125rem] font-medium">What the public sees</p>
      <p className="mt-0.5 text-xs text-pretty text-muted">
        Whoever has the code of a credential sees this template’s name, the issuer, whether it is valid, its dates and
        the reason of a revocation; and of the rest, what is switched on here.
      </p>
      <Switch size="sm" isSelected={namesHolder(design)} onChange={onName} className="mt-2">
        <Switch.Content>
          <Switch.Control>
            <Switch.Thumb />
          </Switch.Control>
          <span className="text-xs text-muted">Anyone may see the holder’s name</span>
        </Switch.Content>
      </Switch>
      {!namesHolder(design) && (
        <p className="mt-2 text-xs text-pretty text-muted">
          Public pages and verifications name nobody. Whoever checks cannot compare the name with the person.
        </p>
      )}
    </div>
  );
}
