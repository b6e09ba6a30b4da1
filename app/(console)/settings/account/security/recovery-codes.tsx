"use client";
import { Button } from "@heroui/react";
import { Download, Printer } from "lucide-react";
import { useState } from "react";
import { Tick } from "@/components/ui/confirm";
import { CopyTextButton } from "@/components/ui/copy";
import { DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

/** Shows recovery codes once, with ways to save them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const [isKept, setKept] = useState(false);
  return (
    <div className="space-y-4">
      <Notice tone="warning" title="Keep these recovery codes">
        Each signs you in once if you lose your second factor. They are shown only now. Keep them where you keep
        passwords, not on the same device.
      </Notice>
      <ol
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-lg border bg-surface-secondary px-4 py-3 font-mono text-[0.8125rem] select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} data-testid="recovery-code">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <CopyTextButton text={codes.join("\n")} label="Copy" />
        <Button variant="outline" onPress={() => download(codes)}>
          <Download aria-hidden="true" /> Download
        </Button>
        <Button variant="outline" onPress={() => print(codes)}>
          <Printer aria-hidden="true" /> Print
        </Button>
      </div>
      <DialogActions>
        <Tick isSelected={isKept} onChange={setKept} className="me-auto">
          I have kept them
        </Tick>
        <Button onPress={onDone} isDisabled={!isKept}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}

const sheet = (codes: string[]) =>
  [`Recovery codes for Bonafide, ${window.location.host}`, "Each works once.", "", ...codes, ""].join("\n");

function download(codes: string[]): void {
  const url = URL.createObjectURL(new Blob([sheet(codes)], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "bonafide-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(url);
}

/** Prints only the codes, from a separate frame, without the page around the dialog. */
function print(codes: string[]): void {
  const frame = document.createElement("iframe");
  frame.className = "fixed size-0 border-0";
  frame.title = "Recovery codes to print";
  frame.srcdoc = "<!doctype html><title>Recovery codes</title><body></body>";
  frame.onload = () => {
    const page = frame.contentWindow!;
    const text = page.document.createElement("pre");
    text.textContent = sheet(codes);
    text.style.fontSize = "14pt";
    page.document.body.append(text);
    page.onafterprint = () => frame.remove();
    page.print();
  };
  document.body.append(frame);
}
