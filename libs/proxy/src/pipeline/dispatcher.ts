/**
 * The part of an undici dispatcher that the proxy uses. A dispatcher that checks every address is
 * one too.
 */
import type { Dispatcher } from 'undici';

export type UpstreamDispatcher = Pick<Dispatcher, 'dispatch' | 'close' | 'destroy'>;
