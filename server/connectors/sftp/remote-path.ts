/** Where files are on the other server, and which of them are meant. */
export interface RemotePlace {
  /** "." for the folder of the sign-in. */
  folder: string;
  /** The file that is meant, where it is one; null for a folder or a pattern. */
  file: string | null;
  /** Whether a file of the folder is meant: its name fits, and says that it is complete. */
  takes(name: string): boolean;
}

/** Names that say that a file is not complete, or none for others. */
const unfinished = /^\.|\.(?:part|partial|filepart|tmp|temp|crdownload|swp)$|~$/i;

export const isUnfinished = (name: string): boolean => unfinished.test(name);

/** Whether a name can be the name of a file: one step of a path, that can be read on a screen. */
export const isFileName = (name: string): boolean =>
  name !== "" && Buffer.byteLength(name) <= 200 && !/[/\\\ufffd]|\p{Cc}|\p{Bidi_Control}/u.test(name);

/** What is wrong with a path as a setting; null if nothing is. */
export function pathProblem(path: string): string | null {
  const steps = path.split("/");
  const name = steps.pop()!;
  if (steps.some((step) => step === "." || step === "..") || name === "." || name === "..")
    return "must not go through . or ..";
  if (/[*?]/.test(steps.join("/"))) return "may have * and ? in the name of the file alone, not in that of a folder";
  if (isUnfinished(name))
    return "must not mean files that begin with a point or end with .part or .tmp: those are not complete";
  return null;
}

/**
 * Reads a path: "/export/" means each file of a folder, "/export/people-*.csv" those whose name fits, and "people.csv"
 * one file of the folder of the sign-in. * stands for any characters, ? for one.
 */
export function remotePlace(path: string): RemotePlace {
  const cut = path.lastIndexOf("/");
  const folder = cut < 0 ? "." : path.slice(0, cut) || "/";
  const name = path.slice(cut + 1);
  const fits = matcher(name || "*");
  const file = name === "" || /[*?]/.test(name) ? null : name;
  return { folder, file, takes: (name) => isFileName(name) && !isUnfinished(name) && fits(name) };
}

/** Compares step by step, without a regular expression: one made of many stars would take exponential time. */
function matcher(pattern: string): (name: string) => boolean {
  const wanted = [...pattern.toLowerCase()];
  return (name) => {
    const given = [...name.toLowerCase()];
    let at = 0;
    let next = 0;
    let star = -1;
    let kept = 0;
    while (at < given.length) {
      if (next < wanted.length && (wanted[next] === "?" || (wanted[next] !== "*" && wanted[next] === given[at]))) {
        at++;
        next++;
      } else if (wanted[next] === "*") {
        star = next++;
        kept = at;
      } else if (star >= 0) {
        next = star + 1;
        at = ++kept;
      } else return false;
    }
    while (wanted[next] === "*") next++;
    return next === wanted.length;
  };
}

export const joined = (folder: string, name: string): string =>
  folder === "." ? name : folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
