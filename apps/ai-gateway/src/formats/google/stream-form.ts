import type { ReceivedRequest } from '../model-request.ts';

/**
 * Whether a stream has server-sent events (`alt=sse`, which all SDKs send). Otherwise it is a JSON
 * array that the provider writes item by item.
 */
export const isEventStream = ({ query }: ReceivedRequest): boolean => query.get('alt')?.toLowerCase() === 'sse';
