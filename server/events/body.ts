/**
 * SQL: the body of a numbered event as it is delivered. It is stored without its end, so that numbering an event does
 * not write the body again (docs/decisions/295).
 */
export const bodyWithSequence = (body: string, sequence: string) => `${body} || ',"sequence":' || ${sequence} || '}'`;
