import { describe, expect, it } from '@jest/globals';
import { targetIn } from './broken-http.ts';

const target = (text: string, bytesParsed?: number) =>
  targetIn(
    Object.assign(new Error('parse error'), {
      rawPacket: Buffer.from(text, 'latin1'),
      ...(bytesParsed !== undefined && { bytesParsed }),
    }),
  );

describe('targetIn', () => {
  it.each([
    ['GET /scim/local/v2/Users?x=1 HTTP/1.1\r\nhost: a\r\nx-pad: yyyy', '/scim/local/v2/Users?x=1'],
    ['GET / HTTP/1.1\r\nhost: a\r\n\r\nPATCH /scim/x HTTP/1.1\r\nbad header', '/scim/x'],
    ['GET /scim/local/v2/Users?filter=long', '/scim/local/v2/Users?filter=long'],
    ['rubbish\r\n\r\n', undefined],
    ['x-pad: the rest of a header that began in another packet', undefined],
    ['GET /scim/x FTP/1.1\r\n\r\n', undefined],
    ['', undefined],
  ])('reads %j and returns the target %j', (text, expected) => {
    expect(target(text)).toBe(expected);
  });

  it('reads only the bytes that were parsed', () => {
    const long = `GET /a HTTP/1.1\r\nx: ${'y'.repeat(9_000)}\r\n\r\nGET /scim/b HTTP/1.1\r\n`;
    expect(target(long, 100)).toBe('/a');
  });

  it('returns undefined without bytes', () => {
    expect(targetIn(new Error('timeout'))).toBeUndefined();
  });
});
