import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { DocumentShell, readSteps } from '@gatehouse/testing/document';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { startPlatform } from './platform.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

describeWhen(await imageEngine(), 'docs/first-flow.md', (engine) => {
  it('works twice and leaves no file', async () => {
    const image = await everythingImage(engine);
    const platform = await startPlatform();
    const shell = new DocumentShell(ROOT, {
      GATEHOUSE_HOME: platform.home,
      DOCKER_HOST: engine.dockerHost,
    });
    const before = readdirSync(ROOT).sort();
    const flow = async (npm: boolean): Promise<string> => {
      let output = '';
      let isImage = false;
      for (const step of readSteps('first-flow.md')) {
        if ('mark' in step) isImage = step.mark === 'image';
        else if (isImage) {
          // The image contains the same server from local packages, because the test has no
          // network.
          await engine.docker.getImage(image).tag({ repo: 'everything', tag: 'latest' });
          isImage = false;
        } else output += await shell.run(step.commands, { npm });
      }
      return output;
    };
    try {
      for (const npm of [true, false]) {
        const output = await flow(npm);
        expect(output).toContain('Echo: hello');
      }
      expect(readdirSync(ROOT).sort()).toEqual(before);
    } finally {
      await shell.close();
      // A failed test leaves the workload.
      const env = { ...process.env, GATEHOUSE_HOME: platform.home, DOCKER_HOST: engine.dockerHost };
      spawnSync(process.execPath, ['apps/cli/bin/gatehouse.js', 'rm', '--all', '--yes'], { cwd: ROOT, env });
      await platform.remove();
    }
  }, 400_000);
});
