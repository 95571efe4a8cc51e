import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Engine } from '@gatehouse/testing/engine';

/** Runs a shell script in a container. @returns its standard output and its standard error */
export async function runInContainer({ docker }: Engine, id: string, script: string): Promise<string> {
  const exec = await docker
    .getContainer(id)
    .exec({ Cmd: ['sh', '-c', script], AttachStdout: true, AttachStderr: true, User: '0' });
  const stream = await exec.start({});
  const output = new PassThrough();
  docker.modem.demuxStream(stream, output, output);
  stream.on('end', () => output.end());
  return text(output);
}
