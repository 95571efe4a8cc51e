/**
 * The address of the runtime of remote servers, as the run configuration stores it. They run
 * elsewhere, and only their proxy is here.
 */
export const REMOTE_ADDRESS = 'remote';

/** Writes the URL of a remote server for people: without its query, which can have a secret. */
export const showUrl = (url: URL): string => url.origin + url.pathname;
