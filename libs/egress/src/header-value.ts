/**
 * Whether a header can carry a secret: printable ASCII only. An HTTP client's error would repeat
 * any other value.
 */
export const isHeaderValue = (secret: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(secret);
