import { hash } from "node:crypto";
import { DomainError } from "@/server/core/errors";
import { processState } from "@/server/core/process-state";
import type { Caller } from "@/server/core/turns";
import { draw } from "@/server/drawing/draw";
import { BoundedCache } from "@/server/standards/bounded-cache";

/** The logo of a message: a data URL of a PNG, and the size in which it is shown. */
export interface MailLogo {
  url: string;
  width: number;
  height: number;
}

/** The largest size in which a logo is shown. The PNG has twice as many pixels, for sharp screens. */
const largest = { width: 240, height: 40 };

const { logos } = processState("logos of mails", () => ({
  logos: new BoundedCache<MailLogo | null>(100, 60 * 60_000),
}));

/**
 * Converts the logo of a design to a small PNG, because many mail programs show no WebP. The conversion is cached: a bulk
 * issue sends the same logo to everybody. Null if there is no logo or it cannot be read, and while the drawing process is
 * overloaded, because a message does not wait for its logo.
 *
 * @param url a data URL
 */
export async function mailLogo(caller: Caller, url: string | null, now: Date): Promise<MailLogo | null> {
  if (!url) return null;
  try {
    return await logos.get(hash("sha256", url, "base64url"), now, async () => {
      const logo = await draw({ caller }, "logo", {
        url,
        box: { width: 2 * largest.width, height: 2 * largest.height },
      });
      return (
        logo && {
          url: `data:image/png;base64,${Buffer.from(logo.png).toString("base64")}`,
          width: Math.ceil(logo.width / 2),
          height: Math.ceil(logo.height / 2),
        }
      );
    });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
