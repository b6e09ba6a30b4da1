/** Shortens a stranger's text to a readable length. */
export const shortened = (text: string, longest = 200) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
