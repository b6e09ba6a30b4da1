import type { TextKind } from "./kinds";

export interface MessageText {
  subject: string;
  body: string;
}

/** The built-in words of messages in one language. */
export interface BuiltInTexts {
  texts: Record<TextKind, MessageText>;
  /** The subjects for a text whose own subject cannot be filled in, for example because the title looks like a link. */
  plainSubjects: Record<TextKind, string>;
  /** Replaces the name of an organisation if it looks like a link. */
  issuer: string;
  allInOnePlace: string;
  openCredential: string;
  lookAtName: string;
  /** With the place {issuer}. */
  sentBy: string;
  noReplies: string;
}
