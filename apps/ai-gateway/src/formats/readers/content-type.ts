/**
 * Whether a response is an event stream.
 * @param contentType of the response; the request decides for types that are neither it nor JSON
 */
export function isEventStream(contentType: string | undefined, isStreamRequest: boolean): boolean {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';', 1);
  if (type.trim() === 'text/event-stream') return true;
  return type.trim() === 'application/json' ? false : isStreamRequest;
}
