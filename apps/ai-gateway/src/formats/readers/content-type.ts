/**
 * Whether a response is an event stream.
 * @param contentType of the response; without it, the request decides
 */
export const isEventStream = (contentType: string | undefined, isStreamRequest: boolean): boolean =>
  contentType === undefined ? isStreamRequest : /^\s*text\/event-stream\s*(;|$)/i.test(contentType);
