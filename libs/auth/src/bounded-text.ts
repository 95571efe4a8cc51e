/**
 * Reads the body of a response as text.
 * @throws Error when the body is larger than `limit` bytes
 */
export async function readBoundedText(response: Response, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new Error(`the response of ${response.url} is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
