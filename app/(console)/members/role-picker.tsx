"use client";
import { Label, Radio, RadioGroup } from "@heroui/react";
import { roles, type Role } from "@/server/access/roles";
import { useSession } from "../_shell/session";
import { roleWords } from "./roles";

/**
 * Chooses a role, with a description of each. Only owners are offered the role owner, because only owners can grant it.
 */
export function RolePicker({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const { can } = useSession();
  const offered = roles.filter((role) => role !== "owner" || can("members:owners"));
  return (
    <RadioGroup name="role" value={value} onChange={(role) => onChange(role as Role)}>
      <Label>Role</Label>
      <div className="mt-1.5 divide-y divide-separator rounded-lg border">
        {offered.map((role) => (
          <Radio key={role} value={role} className="mt-0!">
            <Radio.Content className="w-full items-start px-3.5 py-2.5">
              <Radio.Control className="mt-0.5">
                <Radio.Indicator />
              </Radio.Control>
              <span className="min-w-0">
                <span className="block text-[0.8125rem] leading-5 font-medium">{roleWords[role].label}</span>
                <span className="block text-xs leading-4.5 font-normal text-pretty text-muted">
                  {roleWords[role].about}
                </span>
              </span>
            </Radio.Content>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
