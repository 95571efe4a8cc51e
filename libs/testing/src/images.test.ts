import { beforeAll, describe, expect, it } from '@jest/globals';
import { describeWhen } from './fixture.ts';
import { baseImage, everythingImage, generatedServerImage, imageEngine, nodeImage } from './images.ts';
import { runProcess } from './process.ts';

const FIRST_BUILD_MS = 240_000;

describeWhen(await imageEngine(), 'images of the container tests', (engine) => {
  let everything: string;
  beforeAll(async () => {
    everything = await everythingImage(engine);
  }, FIRST_BUILD_MS);

  const runImage = (image: string, args: string[], input = ''): ReturnType<typeof runProcess> =>
    runProcess({
      command: ['docker', '-H', engine.dockerHost, 'run', '--rm', '-i', '--network', 'none', image, ...args],
      input,
    });

  it('contains Debian 12 with a shell and certificates', async () => {
    const { stdout } = await runImage(await baseImage(engine), [
      'sh',
      '-c',
      '. /etc/os-release; echo $VERSION_ID; wc -c < $SSL_CERT_FILE',
    ]);
    const [version, size] = stdout.trim().split('\n');
    expect(version).toBe('12');
    expect(Number(size)).toBeGreaterThan(100_000);
  });

  it('contains the Node version of the repository', async () => {
    const { stdout } = await runImage(await nodeImage(engine), ['node', '--version']);
    expect(stdout.trim()).toBe(process.version);
  });

  it('answers the MCP handshake from server-everything over stdio', async () => {
    const response = await initialize(everything);
    expect(response.result.serverInfo.name).toMatch(/everything/);
  });

  it('builds the same content only once', async () => {
    const before = await engine.docker.getImage(everything).inspect();
    expect(await everythingImage(engine)).toBe(everything);
    expect((await engine.docker.getImage(everything).inspect()).Created).toBe(before.Created);
  });

  describe('a generated server', () => {
    it('has unique names and reports its own name', async () => {
      const [first, second] = await Promise.all([generatedServerImage(engine), generatedServerImage(engine)]);
      try {
        expect(first.tools).toHaveLength(4);
        expect(new Set([...first.tools, ...second.tools]).size).toBe(8);
        const response = await initialize(first.image);
        expect(response.result.serverInfo.name).toBe(first.serverName);
      } finally {
        await Promise.all([first.remove(), second.remove()]);
      }
    });
  });

  async function initialize(image: string): Promise<{ result: { serverInfo: { name: string } } }> {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const { stdout } = await runImage(image, ['stdio'], `${JSON.stringify(request)}\n`);
    const line = stdout.split('\n').find((line) => line.includes('"id":1'));
    return JSON.parse(line!) as { result: { serverInfo: { name: string } } };
  }
});
