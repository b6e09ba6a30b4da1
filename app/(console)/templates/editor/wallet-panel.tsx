"use client";
import { Switch } from "@heroui/react";
import { Choice } from "@/components/ui/choice";
import { Panel } from "@/components/ui/panel";
import { photoBinding } from "@/server/templates/binding";
import { inLocale } from "@/server/templates/fields";
import { walletNames } from "@/server/wallets/wallet-names";
import { fieldsOf, type Design } from "@/server/templates/design";

const formats = [
  { value: "none", label: "QR code of the public page" },
  { value: "code39", label: "Code 39, for readers in libraries" },
  { value: "codabar", label: "Codabar, for readers in libraries" },
] as const;

/** The fields for the offered wallets and the barcode of their passes. */
export function WalletPanel({ design, onChange }: { design: Design; onChange(design: Design): void }) {
  const wallet = design.wallet;
  const fields = fieldsOf(design).filter(
    ({ key, binding }) => design.publicFields?.includes(key) && binding !== photoBinding,
  );
  const barcode = wallet?.barcode;
  const write = (part: Partial<NonNullable<Design["wallet"]>>) =>
    onChange({ ...design, wallet: { ...wallet, ...part } });
  const choose = (format: (typeof formats)[number]["value"]) =>
    write({
      barcode: format === "none" || !fields[0] ? undefined : { format, field: barcode?.field ?? fields[0].key },
    });
  return (
    <Panel
      title="Phone wallets"
      description="Whoever has the code of a credential can add it, so a pass shows what the public page shows."
    >
      <div className="space-y-3">
        {(["apple", "google"] as const).map((name) => (
          <Switch
            key={name}
            size="sm"
            isSelected={wallet?.[name] ?? false}
            onChange={(isOffered) => write({ [name]: isOffered || undefined })}
          >
            <Switch.Content>
              <Switch.Control>
                <Switch.Thumb />
              </Switch.Control>
              <span className="text-[0.8125rem]">People can add it to {walletNames[name]}</span>
            </Switch.Content>
          </Switch>
        ))}
      </div>
      {(wallet?.apple || wallet?.google) && (
        <div className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Choice
            label="Barcode"
            value={barcode?.format ?? "none"}
            onChange={choose}
            options={fields.length > 0 ? formats : formats.slice(0, 1)}
          />
          {barcode && (
            <Choice
              label="Its value"
              value={barcode.field}
              onChange={(field) => write({ barcode: { ...barcode, field } })}
              options={fields.map(({ key, label }) => ({ value: key, label: inLocale(label ?? key, "en") }))}
            />
          )}
          <p className="text-xs text-pretty text-muted sm:col-span-2">
            {fields.length > 0
              ? "iPhones that cannot show the barcode (before iOS 27) show the QR code."
              : "Make a field public to put its value into a barcode."}
          </p>
        </div>
      )}
    </Panel>
  );
}

/** Removes the barcode from a design if its field is no longer public. */
export function withoutStaleBarcode(design: Design): Design {
  const field = design.wallet?.barcode?.field;
  if (field === undefined || design.publicFields?.includes(field)) return design;
  return { ...design, wallet: { ...design.wallet, barcode: undefined } };
}
