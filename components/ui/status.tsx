import { Chip } from "@heroui/react";

type Tone = "default" | "accent" | "success" | "warning" | "danger";

const looks: Record<string, [Tone, string]> = {
  // credentials
  pending: ["accent", "Pending"],
  active: ["success", "Active"],
  suspended: ["warning", "Suspended"],
  expired: ["default", "Expired"],
  revoked: ["danger", "Revoked"],
  // subjects
  inactive: ["default", "Inactive"],
  // templates and their versions
  draft: ["default", "Draft"],
  published: ["success", "Published"],
  archived: ["default", "Archived"],
  // keys of an issuer
  next: ["accent", "Next"],
  retired: ["default", "Retired"],
  // channels
  provisioned: ["success", "Sent"],
  installed: ["success", "Installed"],
  removed: ["default", "Removed"],
  // claim links and claims
  open: ["success", "Open"],
  used_up: ["warning", "Used up"],
  ended: ["default", "Ended"],
  confirming: ["accent", "Confirms the name"],
  issued: ["success", "Issued"],
  rejected: ["danger", "Rejected"],
  // webhooks
  failing: ["warning", "Failing"],
  paused: ["warning", "Paused"],
  disabled: ["danger", "Disabled"],
  succeeded: ["success", "Delivered"],
  failed: ["danger", "Failed"],
  retrying: ["warning", "Retrying"],
  parked: ["default", "Parked"],
  cancelled: ["default", "Cancelled"],
  // jobs
  queued: ["default", "Queued"],
  running: ["accent", "Running"],
  completed: ["success", "Completed"],
  stopped: ["danger", "Stopped"],
  // runs of connectors and policies
  held: ["warning", "Held"],
  halted: ["warning", "Halted"],
  waiting: ["default", "Waiting"],
  discarded: ["default", "Discarded"],
};

const dots: Record<Tone, string> = {
  default: "bg-muted",
  accent: "bg-accent",
  success: "bg-success",
  warning: "bg-warning",
  danger: "bg-danger",
};

/** A state as a word with a dot. The word alone is sufficient; the colour is an addition. */
export function Status({ of, label }: { of: string; label?: string }) {
  const [tone, word] = looks[of] ?? ["default", of];
  return (
    <Chip color={tone} variant="soft" className="gap-1.5 px-2 align-middle">
      <span className={`size-1.5 rounded-full ${dots[tone]}`} aria-hidden="true" />
      {label ?? word}
    </Chip>
  );
}
