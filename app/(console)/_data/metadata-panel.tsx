"use client";
import { Button } from "@heroui/react";
import { Pencil } from "lucide-react";
import { useMemo, useState } from "react";
import type { Action } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import type { Problem } from "@/components/problem";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInputArea } from "@/components/ui/fields";
import { Json } from "@/components/ui/json";
import { Panel } from "@/components/ui/panel";
import { mergeTyped } from "./merge-change";
import { readObject, tryRead, unreadable } from "./read-object";

interface Described {
  id: string;
  etag?: string;
  metadata: Record<string, unknown>;
}

interface Change {
  id: string;
  ifMatch?: string | undefined;
  metadata: Record<string, unknown>;
}

interface Props<R extends Described> {
  record: R;
  /** Saves the metadata of this kind of record. `onDone` closes the dialog. */
  useUpdate(onDone: () => void): Action<Change, R>;
  canEdit: boolean;
}

/** Shows the metadata that the organisation's own systems keep with a record. */
export function MetadataPanel<R extends Described>({ record, useUpdate, canEdit }: Props<R>) {
  const [open, setOpen] = useState(false);
  const isEmpty = Object.keys(record.metadata).length === 0;
  if (isEmpty && !canEdit) return null;
  return (
    <Panel
      title="Notes of your systems"
      description={
        <>
          Free fields that your organisation keeps with it and nobody else sees. The API calls them{" "}
          <code className="font-mono text-xs">metadata</code>.
        </>
      }
      actions={
        canEdit && (
          <Button size="sm" variant="outline" onPress={() => setOpen(true)}>
            <Pencil aria-hidden="true" /> Edit
          </Button>
        )
      }
    >
      {isEmpty ? (
        <p className="text-[0.8125rem] text-muted">None.</p>
      ) : (
        <Json value={record.metadata} what="metadata" />
      )}
      <Dialog isOpen={open} onOpenChange={setOpen} size="lg" title="Notes of your systems">
        <Reloadable>
          {(reload) => (
            <MetadataForm record={record} useUpdate={useUpdate} onReload={reload} onClose={() => setOpen(false)} />
          )}
        </Reloadable>
      </Dialog>
    </Panel>
  );
}

function MetadataForm<R extends Described>({
  record,
  useUpdate,
  onReload,
  onClose,
}: {
  record: R;
  useUpdate: Props<R>["useUpdate"];
  onReload(): void;
  onClose(): void;
}) {
  const [text, setText] = useState(typed(record.metadata));
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const action = useUpdate(onClose);
  const metadata = useMemo(() => tryRead(text), [text]);
  const { basis, ifMatch, conflict } = useBasis({
    record,
    shown: ({ metadata }) => ({ metadata }),
    entered: metadata && { metadata },
    onMerge: (merged) => setText(typed(merged.metadata)),
    labels: { metadata: "Fields" },
    action,
    reload: onReload,
  });
  const save = () => {
    try {
      const change = mergeTyped((basis ?? record).metadata, readObject(text));
      setRefusal(null);
      action.run({ id: record.id, ifMatch, metadata: change });
    } catch (error) {
      setRefusal(unreadable("metadata", error));
    }
  };
  return (
    <ProblemForm
      problem={refusal ?? action.problem}
      isPending={action.isPending}
      entered={text}
      onSubmit={save}
      conflict={conflict}
    >
      <TextInputArea
        label="Fields"
        name="metadata"
        value={text}
        onChange={setText}
        mono
        rows={8}
        autoFocus
        placeholder={'{\n  "box": 7\n}'}
        description="JSON, up to 4 KiB. To remove a field, take it out. Verification, public pages, webhooks and the audit log never show it."
      />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending}>
          Save
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

const typed = (metadata: Record<string, unknown>) =>
  Object.keys(metadata).length > 0 ? JSON.stringify(metadata, null, 2) : "";
