/** How userNames and e-mail addresses are compared: without regard to case. */
export const fold = (text: string): string => text.normalize("NFC").trim().toLowerCase();
