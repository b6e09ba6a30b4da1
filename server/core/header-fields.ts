/** The fields of an operation's input that REST sends as headers. */
export const headerFields: readonly string[] = ["ifMatch", "ifNoneMatch", "accept"];
