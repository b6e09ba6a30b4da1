"use client";
import { useState } from "react";
import { initialsOf } from "./initials";

interface Props {
  src: string;
  /** The name whose initials replace a photo that cannot be loaded; "" for a name that is not shown. */
  name: string;
  /** "" if an element around it describes the whole picture. */
  alt: string;
  /** Sets the width or the height: a portrait is 3 to 4. */
  className: string;
}

/** A portrait, or the person's initials if the portrait cannot be loaded. */
export function Portrait({ src, name, alt, className }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span
      className={`@container relative grid aspect-[3/4] place-items-center overflow-hidden bg-current/10 ${className}`}
    >
      <span className="text-[38cqw] leading-none font-semibold" aria-hidden="true">
        {initialsOf(name)}
      </span>
      {failed !== src && (
        <img
          // A picture that failed before scripts ran sends no error event later.
          ref={(image) => void (image?.complete && image.naturalWidth === 0 && setFailed(src))}
          src={src}
          alt={alt}
          onError={() => setFailed(src)}
          className="absolute inset-0 size-full object-cover text-transparent"
          data-portrait=""
        />
      )}
    </span>
  );
}
