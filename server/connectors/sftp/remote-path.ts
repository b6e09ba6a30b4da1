/** A parsed path: the folder on the other server, and which files of it match. */
export interface RemotePlace {
  /** "." for the folder after the sign-in. */
  folder: string;
  /** The name of the file; null if the path is a folder or a pattern. */
  file: string | null;
  /** Whether a file name matches and is not one of an unfinished file. */
  takes(name: string): boolean;
}

/** Names of unfinished, temporary or hidden files. */
const unfinished = /^\.|\.(?:part|partial|filepart|tmp|temp|crdownload|swp)$|~$/i;

export const isUnfinished = (name: string): boolean => unfinished.test(name);

/** Whether a text can be a file name: a single path step of printable characters. */
export const isFileName = (name: string): boolean =>
  name !== "" && Buffer.byteLength(name) <= 200 && !/[/\\\ufffd]|\p{Cc}|\p{Bidi_Control}/u.test(name);

/** Returns what is wrong with a path in the settings; null if it is valid. */
export function pathProblem(path: string): string | null {
  const steps = path.split("/");
  const name = steps.pop()!;
  if (steps.some((step) => step === "." || step === "..") || name === "." || name === "..")
    return "must not go through . or ..";
  if (/[*?]/.test(steps.join("/"))) return "may have * and ? only in the name of the file, not in that of a folder";
  if (isUnfinished(name))
    return "must not match files that begin with a full stop or end with .part or .tmp, because these are unfinished";
  return null;
}

/**
 * Parses a path. "/export/" matches all files of a folder, "/export/people-*.csv" those whose name matches the pattern, and
 * "people.csv" one file in the folder after the sign-in. * matches any characters, ? one character.
 */
export function remotePlace(path: string): RemotePlace {
  const cut = path.lastIndexOf("/");
  const folder = cut < 0 ? "." : path.slice(0, cut) || "/";
  const name = path.slice(cut + 1);
  const fits = matcher(name || "*");
  const file = name === "" || /[*?]/.test(name) ? null : name;
  return { folder, file, takes: (name) => isFileName(name) && !isUnfinished(name) && fits(name) };
}

/** Matches without a regular expression, because a pattern with many stars would take exponential time. */
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
