"use client";
import { Button } from "@heroui/react";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm } from "@/components/ui/fields";
import { SearchChoice } from "@/components/ui/search-choice";
import { useNow } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { formatDay, formatExact } from "@/server/core/dates";
import { localeOptions, zoneOptions } from "./regions";

/** Chooses time zone and locale, with the present time as an example. */
export function RegionForm({
  organisation,
  isReadOnly,
  onReload,
}: {
  organisation: RouterOutputs["organisation"]["get"];
  isReadOnly: boolean;
  onReload(): void;
}) {
  const trpc = useTRPC();
  const [timeZone, setTimeZone] = useState(organisation.timeZone);
  const [locale, setLocale] = useState(organisation.locale);
  const now = useNow(1);
  const action = useAction(trpc.organisation.update.mutationOptions(), {
    done: "Dates are shown in this way from now on",
  });
  const {
    basis = organisation,
    ifMatch,
    conflict,
    changes,
  } = useBasis({
    record: organisation,
    shown: (o) => ({ timeZone: o.timeZone, locale: o.locale }),
    entered: { timeZone, locale },
    onMerge(merged) {
      setTimeZone(merged.timeZone);
      setLocale(merged.locale);
    },
    labels: { timeZone: "Time zone", locale: "Way of writing dates" },
    action,
    reload: onReload,
  });
  const zones = useMemo(() => zoneOptions(organisation.timeZone, new Date()), [organisation.timeZone]);
  const locales = useMemo(() => localeOptions(organisation.locale), [organisation.locale]);
  const changed = timeZone !== basis.timeZone || locale !== basis.locale;
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ timeZone, locale }}
      onSubmit={() => changed && action.run({ ...changes({ timeZone, locale }), ifMatch })}
      conflict={conflict}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <SearchChoice
          label="Time zone"
          name="timeZone"
          value={timeZone}
          onChange={setTimeZone}
          options={zones}
          isReadOnly={isReadOnly}
          description="Search by city or region."
        />
        <SearchChoice
          label="Way of writing dates"
          name="locale"
          value={locale}
          onChange={setLocale}
          options={locales}
          isReadOnly={isReadOnly}
          description="Search by language or country."
        />
      </div>
      {now > 0 && (
        <p className="text-[0.8125rem] text-muted tabular-nums">
          Today is {formatDay(new Date(now), { timeZone, locale })}; now it is{" "}
          {formatExact(new Date(now), { timeZone, locale })}.
        </p>
      )}
      {timeZone !== basis.timeZone && (
        <p className="text-[0.8125rem] text-pretty text-muted">
          What was issued keeps the moment at which it ends, so its last day may read differently in the new time zone.
        </p>
      )}
      {isReadOnly ? (
        <p className="text-xs text-muted">Admins and owners can change it.</p>
      ) : (
        <Button type="submit" isPending={action.isPending} isDisabled={!changed}>
          Save
        </Button>
      )}
    </ProblemForm>
  );
}
