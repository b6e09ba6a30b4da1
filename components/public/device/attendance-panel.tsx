import { Download, Play, Square, Trash2 } from "lucide-react";
import { useEffect, useState, type FormEvent } from "react";
import { buttonLook, PlainButton } from "../plain-button";
import {
  attendanceCsv,
  countWords,
  forgetPlace,
  readAttendance,
  startCounting,
  stopCounting,
  type Place,
} from "./attendance";
import { say } from "../words";

/** Counts the scans at each place, only on this device. */
export function AttendancePanel() {
  const [{ current, places }, setStored] = useState(readAttendance);
  useEffect(() => {
    const show = () => setStored(readAttendance());
    window.addEventListener("bonafide:attendance", show);
    return () => window.removeEventListener("bonafide:attendance", show);
  }, []);

  function start(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("place")).trim();
    if (name !== "") startCounting(name);
  }

  return (
    <section aria-labelledby="attendance">
      <h3 id="attendance" className="font-semibold">
        {say("Attendance")}
      </h3>
      <p className="mt-1 text-pretty text-muted">
        {say(
          "Counts each code once at a place or event. The list stays on this device, with codes and times and without names.",
        )}
      </p>
      {current === null ? (
        <form className="mt-3" onSubmit={start}>
          <label htmlFor="place" className="font-medium">
            {say("Place or event")}
          </label>
          <div className="mt-1.5 flex gap-2">
            <input
              id="place"
              name="place"
              required
              maxLength={80}
              autoComplete="off"
              placeholder={say("Lecture hall 2, 3 March")}
              className="input h-10 min-w-0 flex-1 px-3 text-base sm:text-sm"
            />
            <button type="submit" className={`${buttonLook("secondary")} h-10`}>
              <Play aria-hidden="true" /> {say("Start")}
            </button>
          </div>
        </form>
      ) : (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
          <p className="min-w-0 wrap-anywhere">
            {say("Counting at")} <strong className="font-semibold">{current}</strong>
          </p>
          <PlainButton variant="outline" onPress={stopCounting}>
            <Square aria-hidden="true" /> {say("Stop")}
          </PlainButton>
        </div>
      )}
      {places.length > 0 && (
        <ul className="mt-3 divide-y divide-separator">
          {places.map((place) => (
            <PlaceRow key={place.name} place={place} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PlaceRow({ place }: { place: Place }) {
  const [isAsking, setAsking] = useState(false);
  const { name, attendees } = place;
  const n = attendees.length;
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2">
      <p className="min-w-0 wrap-anywhere">
        {name}: <span className="tabular-nums">{countWords(place)}</span>
      </p>
      <div className="flex gap-2">
        <PlainButton
          variant="outline"
          onPress={() => download(place)}
          aria-label={say("Export {name} as CSV", { name })}
        >
          <Download aria-hidden="true" /> CSV
        </PlainButton>
        {isAsking ? (
          <PlainButton variant="outline" onPress={() => forgetPlace(name)}>
            {n === 1 ? say("Remove 1 credential") : say("Remove {n} credentials", { n })}
          </PlainButton>
        ) : (
          <PlainButton variant="outline" onPress={() => setAsking(true)} aria-label={say("Remove {name}", { name })}>
            <Trash2 aria-hidden="true" />
          </PlainButton>
        )}
      </div>
    </li>
  );
}

function download(place: Place): void {
  const link = document.createElement("a");
  // A byte order mark, so that spreadsheets read UTF-8.
  link.href = URL.createObjectURL(new Blob(["\ufeff", attendanceCsv(place)], { type: "text/csv;charset=utf-8" }));
  link.download = `attendance-${place.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "scans"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
