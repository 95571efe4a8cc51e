import { ByteCollector } from '@gatehouse/mcp/bytes';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import type { BodyConverter } from '../converted-response.ts';

const MAX_BYTES = 1024 * 1024;

/** Converts a body of at most 1 MiB as a whole. */
export class SmallBody implements BodyConverter {
  private readonly bytes = new ByteCollector();

  constructor(private readonly convert: (body: Buffer) => string | Buffer) {}

  push(chunk: Buffer): void {
    this.bytes.add(chunk);
    if (this.bytes.length > MAX_BYTES)
      throw new ModelCallError('provider_error', 'The provider sent a response that is too large.');
  }

  end(parts: Buffer[]): void {
    const body = this.bytes.take();
    parts.push(Buffer.from(this.convert(Buffer.from(body.buffer, body.byteOffset, body.length))));
  }
}
