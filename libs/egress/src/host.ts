/** Formats a host name or an address for a URL: an IPv6 address gets brackets (RFC 3986). */
export const formatHost = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
