import { EgressRefusalError } from './egress-refusal.ts';

/** Passes a body through and fails it with an `EgressRefusalError` beyond `maxBytes`. */
export function limitBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  let seen = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength;
        if (seen > maxBytes) throw new EgressRefusalError('size', `the response is longer than ${maxBytes} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
}
