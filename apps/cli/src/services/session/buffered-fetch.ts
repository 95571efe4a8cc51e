/** The largest response, in bytes. It is larger than the longest page of a manager. */
const LARGEST = 16 * 1024 * 1024;

/**
 * `fetch` that resolves when the response is complete. A response of more than 16 MiB is rejected,
 * so that a manager or a provider cannot exhaust the memory.
 * @throws Error for a larger response, and the errors of `fetch`
 */
export async function fetchBuffered(input: string | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const body: ReadableStream<Uint8Array<ArrayBuffer>> | null = response.body;
  if (body === null) return response;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // The error ends the loop, which cancels the rest of the response.
  for await (const part of body) {
    size += part.length;
    if (size > LARGEST) throw new Error(`the response is larger than ${LARGEST / 1024 / 1024} MiB`);
    parts.push(part);
  }
  const { status, statusText, headers } = response;
  return new Response(new Blob(parts), { status, statusText, headers });
}
