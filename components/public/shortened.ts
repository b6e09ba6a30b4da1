/** As much of a stranger's text as people read. */
export const shortened = (text: string, longest = 200) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
