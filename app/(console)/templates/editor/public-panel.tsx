import { Switch } from "@heroui/react";
import { isSearchable, namesHolder, type Design } from "@/server/templates/design";

interface Props {
  design: Design;
  onName(isPublic: boolean): void;
  onSearchable(isSearchable: boolean): void;
}

/**
 * What anyone who has the code sees, whether this includes the holder's name, and whether search engines list the page.
 */
export function PublicPanel({ design, onName, onSearchable }: Props) {
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
      <Switch size="sm" isSelected={isSearchable(design)} onChange={onSearchable} className="mt-2">
        <Switch.Content>
          <Switch.Control>
            <Switch.Thumb />
          </Switch.Control>
          <span className="text-xs text-muted">Search engines may list public pages</span>
        </Switch.Content>
      </Switch>
      {isSearchable(design) && (
        <p className="mt-2 text-xs text-pretty text-muted">
          Only pages of valid credentials are listed. After a revocation or an erasure, a search engine may show what it
          has kept until it visits the page again.
        </p>
      )}
    </div>
  );
}
