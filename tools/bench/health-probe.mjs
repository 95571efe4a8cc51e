import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * Measures the longest time in which `/healthz` of a service does not answer. The probe has its own
 * thread, so that the benchmark does not delay it.
 * @returns `during(work)`, which resolves with this time in milliseconds (`held`) and the `result`
 * of the work, and `end`
 */
export async function startProbe(url) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: `${url}/healthz` });
  await once(worker, 'message');
  const exchange = async (message) => {
    worker.postMessage(message);
    return (await once(worker, 'message'))[0];
  };
  return {
    async during(work) {
      await exchange('start');
      let result;
      let held;
      try {
        result = await work();
      } finally {
        held = await exchange('stop');
      }
      return { held, result };
    },
    end: () => worker.terminate(),
  };
}

if (!isMainThread) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isMeasuring = false;
  let probing = Promise.resolve(0);
  const probe = async () => {
    let held = 0;
    do {
      const begun = performance.now();
      await readHealth(agent);
      held = Math.max(held, performance.now() - begun);
      await sleep(1);
    } while (isMeasuring);
    return held;
  };
  parentPort.on('message', async (message) => {
    isMeasuring = message === 'start';
    if (isMeasuring) probing = probe();
    parentPort.postMessage(isMeasuring ? 'started' : await probing);
  });
  await readHealth(agent);
  parentPort.postMessage('ready');
}

function readHealth(agent) {
  return new Promise((resolve, reject) => {
    request(workerData, { agent }, (response) => {
      response.resume();
      response.once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}
