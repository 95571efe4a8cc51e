import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Engine } from './engine.ts';

let folder: string;
let engine: Engine;
let answer: (response: ServerResponse) => void;
const server = createServer((_request, response) => answer(response));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const path = join(folder, 'engine.sock');
  await once(server.listen(path), 'listening');
  engine = new Engine({ kind: 'socket', path });
});
afterEach(() => {
  engine.close();
  server.close();
  rmSync(folder, { recursive: true });
});

describe('an address of another program than a container engine', () => {
  const foreign = expect.objectContaining({
    code: 'no-engine',
    message: expect.stringMatching(/^No container engine answers at unix:.*is that of another program$/),
  });

  it.each([
    ['a page', (response: ServerResponse) => response.end('<html>')],
    ['another address', (response: ServerResponse) => response.writeHead(302, { location: 'http://a.test/' }).end()],
    ['null', (response: ServerResponse) => response.end('null')],
  ])('that answers with %s is named', async (_title, write) => {
    answer = write;
    await expect(engine.ping()).rejects.toEqual(foreign);
    await expect(engine.isPodman()).rejects.toEqual(foreign);
  });

  it('that answers with nothing to the question for its version is named', async () => {
    answer = (response) => response.end('OK');
    await engine.ping();
    await expect(engine.getVersion()).rejects.toEqual(foreign);
  });
});

describe('the kind of an engine', () => {
  it.each([
    ['Podman', { 'libpod-api-version': '4.3.1' }, true],
    ['Docker', {}, false],
  ])('is %s by the headers of its answers', async (_, headers, expected) => {
    answer = (response) => response.writeHead(200, headers).end('OK');
    expect(await engine.isPodman()).toBe(expected);
  });
});
