import { Switch } from "@heroui/react";
import { Panel } from "@/components/ui/panel";
import { namesHolder, signsQr, type Design } from "@/server/templates/design";

/** Whether the QR code can be checked without a connection, and what it contains then. */
export function OfflinePanel({ design, onChange }: { design: Design; onChange(design: Design): void }) {
  return (
    <Panel
      title="Checking without a connection"
      description="For halls, coaches and gates without a network: the QR code then also holds a statement that you signed."
    >
      <Switch
        size="sm"
        isSelected={signsQr(design)}
        onChange={(isSigned) => onChange({ ...design, signedQr: isSigned || undefined })}
      >
        <Switch.Content>
          <Switch.Control>
            <Switch.Thumb />
          </Switch.Control>
          <span className="text-[0.8125rem]">The QR code is signed</span>
        </Switch.Content>
      </Switch>
      {signsQr(design) && (
        <p className="mt-3 text-xs text-pretty text-muted">
          Whoever photographs the QR code can read what is in it: code, kind and name of the credential,{" "}
          {namesHolder(design) ? "the holder’s name, " : ""}your short name and the dates. The code gets finer: print it
          at 25 mm or larger. Cards that are printed already keep the plain one.
        </p>
      )}
    </Panel>
  );
}
