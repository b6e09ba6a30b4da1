"use client";
import { Input, TextField } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTRPC } from "@/components/trpc/client";
import { useSession } from "../_shell/session";

/** The path of an attribute, with the names that people's records have to choose from. */
export function AttributeInput({ value, onChange }: { value: string; onChange(path: string): void }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const list = useId();
  const { data } = useQuery(
    trpc.subjects.attributeNames.queryOptions({}, { enabled: can("subjects:read"), staleTime: 60_000 }),
  );
  return (
    <TextField aria-label="Attribute" value={value} onChange={onChange} fullWidth>
      <Input list={list} placeholder="department" autoComplete="off" className="h-8 font-mono" />
      <datalist id={list}>
        {data?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </TextField>
  );
}
