/**
 * The path of a request target, without the query and without the authority of an absolute form.
 */
export const getRequestPath = (target: string): string => /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? '';
