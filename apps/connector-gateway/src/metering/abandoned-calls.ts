import { DEFAULT_LIMITS } from '../mcp/ports/limits.ts';

/** Time after the longest duration of a call before its record counts as abandoned. */
const MARGIN_MS = 300_000;

/** Age in milliseconds at which a record of a running call counts as abandoned by its process. */
export const ABANDONED_MS = DEFAULT_LIMITS.callTotalMs + MARGIN_MS;
