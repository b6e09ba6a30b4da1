"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Panel } from "@/components/ui/panel";
import { imageLimit, imageTypes, imageWords } from "@/server/achievements/image-limits";

/** The picture that badges show, and how to change it on a draft. */
export function Picture({ achievement, canWrite }: { achievement: { id: string; name: string }; canWrite: boolean }) {
  const trpc = useTRPC();
  const { id, name } = achievement;
  const limits = useId();
  const input = useRef<HTMLInputElement>(null);
  const newest = useQuery(trpc.achievements.versions.list.queryOptions({ id, limit: 1 })).data?.data[0];
  const version = useQuery(
    trpc.achievements.versions.get.queryOptions({ id, version: newest?.version ?? 1 }, { enabled: !!newest }),
  ).data;
  const shown = useQuery(
    trpc.achievements.versions.image.queryOptions(
      { id, version: newest?.version ?? 1 },
      { enabled: !!version?.imageUrl },
    ),
  ).data;
  const [tooLarge, setTooLarge] = useState(false);
  const set = useAction(trpc.achievements.versions.setImage.mutationOptions(), { done: "Picture saved" });
  const remove = useAction(trpc.achievements.versions.deleteImage.mutationOptions(), { done: "Picture removed" });
  if (!newest) return null;
  const isDraft = newest.status === "draft";
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > imageLimit);
    if (file.size > imageLimit) return;
    set.run({ id, version: newest.version, image: await base64Of(file) });
  };
  return (
    <Panel title="Picture">
      <div className="flex items-start gap-4">
        <span className="grid size-28 shrink-0 place-items-center overflow-hidden rounded-lg border bg-surface-secondary p-2 text-center text-xs text-muted">
          {version?.imageUrl && shown ? (
            <img src={shown} alt={name} className="size-full object-contain" />
          ) : (
            "Drawn with its name"
          )}
        </span>
        <div className="min-w-0 space-y-3 text-sm">
          <p className="text-pretty text-muted">
            {version?.imageUrl
              ? `Badges of version ${newest.version} show it.`
              : "Badges are drawn with the names of achievement and issuer."}
            {!isDraft && canWrite && " To change the picture, choose Edit and save a draft first."}
          </p>
          {isDraft && canWrite && (
            <>
              <p id={limits} className="text-xs text-pretty text-muted">
                {imageWords}
              </p>
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="outline"
                  size="sm"
                  aria-describedby={limits}
                  isPending={set.isPending}
                  onPress={() => input.current?.click()}
                >
                  {set.isPending ? "Saving…" : version?.imageUrl ? "Replace" : "Choose picture"}
                </Button>
                {version?.imageUrl && (
                  <Button
                    variant="ghost"
                    size="sm"
                    isIconOnly
                    aria-label="Remove picture"
                    isPending={remove.isPending}
                    onPress={() => remove.run({ id, version: newest.version })}
                  >
                    <Trash2 aria-hidden="true" />
                  </Button>
                )}
              </div>
              <input
                ref={input}
                type="file"
                aria-label="Picture file"
                accept={imageTypes.join(",")}
                className="sr-only"
                tabIndex={-1}
                onChange={(event) => {
                  void choose(event.target.files?.[0]);
                  event.target.value = "";
                }}
              />
            </>
          )}
          {(tooLarge || set.problem) && (
            <p role="alert" className="text-xs text-pretty text-danger">
              {tooLarge ? "The file is too large. Save it smaller and choose it again." : set.problem?.detail}
            </p>
          )}
        </div>
      </div>
    </Panel>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
