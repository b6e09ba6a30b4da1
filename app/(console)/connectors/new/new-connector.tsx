"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { FileInput } from "../file-input";
import { UnfitFile } from "../pack-file";
import { missingOptions, type Connector } from "../words";
import { mappingOf, suggest, suggestStatus, targetOptions, type Target, type Targets } from "./mapping-of";
import { readSample, type Sample, type SampleColumn } from "./read-sample";

const trail = [{ label: "Connectors", href: "/connectors" }];
const noStatus = { active: "", inactive: "" };

/** Makes a connector from a sample of its file. The sample is read here and sent nowhere. */
export function NewConnector() {
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState("");
  const [missing, setMissing] = useState<Connector["missing"]>("keep");
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [{ columns, encoding }, setSample] = useState<Sample>({ columns: [], encoding: "auto" });
  const [targets, setTargets] = useState<Targets>({});
  const [status, setStatus] = useState(noStatus);
  const action = useAction(trpc.connectors.create.mutationOptions(), {
    done: "Connector created",
    onDone: ({ id }) => router.push(`/connectors/${id}`),
  });

  const point = (column: SampleColumn, target: Target) => {
    setTargets((now) => ({ ...now, [column.name]: target }));
    if (target === "status") setStatus(suggestStatus(column.values));
  };
  const choose = async (chosen: File) => {
    try {
      const found = await readSample(chosen);
      const suggested = suggest(found.columns);
      setSample(found);
      setTargets(suggested);
      setStatus(suggestStatus(found.columns.find(({ name: each }) => suggested[each] === "status")?.values ?? []));
      setFile(chosen);
      setUnfit(null);
    } catch (error) {
      if (!(error instanceof UnfitFile)) throw error;
      setUnfit(error.message);
    }
  };
  const mapping = mappingOf(columns, targets, status);
  return (
    <>
      <PageHeader
        trail={trail}
        title="New connector"
        description="Choose a sample of your file, and say where its columns go. Its people stay in this browser."
      />
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending || action.isDone}
        entered={{ name, missing, targets, status }}
        onSubmit={() => mapping && action.run({ name, type: "csv", mapping, missing, settings: { encoding } })}
        className="max-w-3xl space-y-5"
      >
        <Panel>
          <div className="space-y-4">
            <TextInput
              label="Name"
              name="name"
              value={name}
              onChange={setName}
              isRequired
              description="Such as Student registry."
            />
            <FileInput
              label="Choose a sample file"
              file={file}
              onChoose={(chosen) => void choose(chosen)}
              problem={unfit}
            />
          </div>
        </Panel>
        {columns.length > 0 && (
          <Panel
            title="Columns"
            description="Say where each column goes. One must be the id by which your system knows a person."
            flush
          >
            <ul className="divide-y divide-separator">
              {columns.map((column) => (
                <li
                  key={column.name}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
                >
                  <div className="min-w-0 flex-1 basis-48">
                    <p className="text-[0.8125rem] font-medium wrap-anywhere">
                      <bdi>{column.name}</bdi>
                    </p>
                    <p className="truncate text-xs text-muted">
                      <bdi>{column.values.slice(0, 3).join(" · ") || "Empty in this sample"}</bdi>
                    </p>
                  </div>
                  <Choice
                    compact
                    label={`Where ${column.name} goes`}
                    value={targets[column.name] ?? "none"}
                    onChange={(target) => point(column, target)}
                    options={targetOptions}
                    className="w-48"
                  />
                </li>
              ))}
            </ul>
          </Panel>
        )}
        {Object.values(targets).includes("status") && (
          <Panel
            title="Status"
            description="What the values of the column mean, with commas between. A row with another value is rejected."
          >
            <div className="grid gap-4 sm:grid-cols-2">
              <TextInput
                label="Active"
                value={status.active}
                onChange={(active) => setStatus((now) => ({ ...now, active }))}
              />
              <TextInput
                label="Inactive"
                value={status.inactive}
                onChange={(inactive) => setStatus((now) => ({ ...now, inactive }))}
              />
            </div>
          </Panel>
        )}
        <Panel>
          <Choice
            label="Who is missing from a file"
            name="missing"
            value={missing}
            onChange={(next: Connector["missing"]) => setMissing(next)}
            options={missingOptions}
            description="If a file would deactivate more than 10 people, or 10 % of them where that is more, it waits for you."
          />
        </Panel>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" isPending={action.isPending} isDisabled={!mapping || !name.trim()}>
            Create connector
          </Button>
          {columns.length > 0 && !mapping && (
            <p className="text-[0.8125rem] text-muted">Choose the column that is the id first.</p>
          )}
        </div>
      </ProblemForm>
    </>
  );
}
