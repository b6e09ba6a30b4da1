"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { missingFields } from "@/components/missing-fields";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm, SendButton, TextInput } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { ContentForm } from "../editor/content-form";
import { blank, contentOf } from "../editor/entered";

const trail = [{ label: "Achievements", href: "/achievements" }];

export function NewAchievement() {
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState("");
  const [entered, setEntered] = useState(blank);
  const create = useAction(trpc.achievements.create.mutationOptions(), {
    done: (made) => (made.status === "published" ? "Achievement published" : "Draft saved"),
    onDone: (made) => router.replace(`/achievements/${made.id}`),
  });
  const [missing, setMissing] = useState<Problem | null>(null);
  const save = (publish: boolean) => {
    const found = missingFields({ name, description: entered.description });
    setMissing(found);
    if (!found && !create.isPending && !create.isDone) create.run({ name, ...contentOf(entered), publish });
  };
  return (
    <ProblemForm
      problem={missing ?? create.problem}
      isPending={create.isPending}
      entered={{ name, entered }}
      onSubmit={() => save(false)}
    >
      <PageHeader
        trail={trail}
        title="New achievement"
        actions={
          <>
            <Button type="submit" variant="outline" isDisabled={create.isDone}>
              Save draft
            </Button>
            <SendButton isDisabled={create.isDone} isPending={create.isPending} onSend={() => save(true)}>
              Publish
            </SendButton>
          </>
        }
      />
      <Panel title="Name" className="mb-5">
        <TextInput
          label="Name"
          name="name"
          value={name}
          onChange={setName}
          placeholder="Master of Science in Computer Science"
          isRequired
          autoFocus
          description="As credentials state it, to everyone who verifies them."
        />
      </Panel>
      <ContentForm entered={entered} onChange={setEntered} />
    </ProblemForm>
  );
}
