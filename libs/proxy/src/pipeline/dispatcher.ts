/**
 * The part of an undici dispatcher that the proxy uses; one that checks addresses at every dial
 * fits in as well.
 */
import type { Dispatcher } from 'undici';

export type UpstreamDispatcher = Pick<Dispatcher, 'dispatch' | 'close' | 'destroy'>;
