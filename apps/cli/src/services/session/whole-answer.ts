/** Bytes that an answer may have: more than the longest page of a manager. */
const LARGEST = 16 * 1024 * 1024;

/**
 * `fetch` that ends when the answer is here as a whole. Managers and providers have no say in how
 * much memory a command takes: an answer of more than 16 MiB is none.
 * @throws Error for that, and whatever `fetch` throws
 */
export async function fetchBuffered(input: string | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const body: ReadableStream<Uint8Array<ArrayBuffer>> | null = response.body;
  if (body === null) return response;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Leaving the loop by an error cancels the rest.
  for await (const part of body) {
    size += part.length;
    if (size > LARGEST) throw new Error(`the answer is larger than ${LARGEST / 1024 / 1024} MiB`);
    parts.push(part);
  }
  const { status, statusText, headers } = response;
  return new Response(new Blob(parts), { status, statusText, headers });
}
