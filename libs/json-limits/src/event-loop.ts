/** Bytes that are scanned between two turns of the event loop: about half a millisecond of work. */
export const BYTES_PER_TURN = 256 * 1024;

/** Lets the event loop serve other work: timers, sockets and other requests. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
