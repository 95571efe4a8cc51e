import type { LogConsumer } from '../runtime/runtime.ts';
import { OutputDemultiplexer } from './container-output.ts';
import type { Engine } from './engine.ts';

/** Reads the output of a container; with `follow` until its end or the abort. */
export async function readContainerLog(
  engine: Engine,
  id: string,
  follow: boolean,
  take: LogConsumer,
  abort: AbortSignal,
): Promise<void> {
  const demultiplexer = new OutputDemultiplexer(take);
  const path = `/containers/${id}/logs?stdout=1&stderr=1&follow=${follow ? 1 : 0}`;
  const response = await engine.stream('GET', path, { abort });
  try {
    for await (const chunk of response) demultiplexer.push(chunk as Buffer);
  } catch (error) {
    if (!abort.aborted) throw error;
  }
}
