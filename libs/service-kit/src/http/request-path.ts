/**
 * The path of a request target: without query, and without the authority that a proxy's absolute
 * form holds.
 */
export const pathOf = (target: string): string => /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? '';
