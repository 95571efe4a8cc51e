// Usage: node --import kill-points.mjs killed-gateway.mjs FOLDER MANAGER_URL LOG SCHEDULE
// Records attempts in the outbox of FOLDER and delivers them. It writes what it knows about each
// attempt as a line of JSON to the file LOG. SCHEDULE is `steps` for one attempt of each kind,
// `fill` for attempts until one is refused and one is accepted again, or the seed of random
// attempts without an end.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { UsageDelivery } from '../../dist/settlement/usage-delivery.js';
import { UsageOutbox } from '../../dist/settlement/usage-outbox.js';
import { UsageReportsError } from '../../dist/settlement/usage-reports.js';

const [folder, url, log, schedule] = process.argv.slice(2);
const note = (line) => appendFileSync(log, `${JSON.stringify(line)}\n`);

const reports = {
  async deliver(body, signal) {
    try {
      const response = await fetch(url, { method: 'POST', body, signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return (await response.json()).results;
    } catch (error) {
      throw new UsageReportsError(undefined, error.message);
    }
  },
};
const observer = {
  handleReceipt: () => {},
  handleProblem: ({ status }, { interaction_id }) => note({ problem: status, interaction_id }),
  handleOutage: () => {},
  handleRecovery: () => {},
};

const { outbox } = await UsageOutbox.open({ folder, gatewayId: 'ai-a', maxEvents: 10_000 });
const delivery = new UsageDelivery(outbox, reports, observer);
delivery.start();

let state = Number(schedule) || 1;
/** A random number from 0 to 1 (Park and Miller). */
const draw = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

function begin() {
  const intent = {
    interaction_id: uuidv7(),
    attempt: 1 + Math.floor(draw() * 3),
    reservation_id: uuidv7(),
    event_time: new Date().toISOString(),
    principal: { virtual_key_id: uuidv7() },
    provider: 'openai',
    route: 'default',
    requested_model: 'gpt-5',
    model: 'gpt-5',
    estimated_usage: { prompt_tokens: Math.floor(draw() * 1_000), completion_tokens: 8_192 },
  };
  note({ phase: 'planned', intent });
  outbox.begin(intent);
  note({ phase: 'sent', intent });
  return intent;
}

async function finish(intent) {
  const tokens = Math.floor(draw() * 1_000_000);
  const outcome = {
    outcome: 'delivered',
    upstream_status: 200,
    duration_ms: 5,
    raw_usage: { prompt_tokens: tokens, completion_tokens: 3 },
  };
  note({ phase: 'ended', intent, outcome });
  await outbox.finish(intent, outcome);
  note({ phase: 'finished', intent, outcome });
}

function discard(intent) {
  outbox.discard(intent);
  note({ phase: 'discarded', intent });
}

async function performSteps() {
  await finish(begin());
  discard(begin());
  begin();
  await Promise.all([begin(), begin()].map(finish));
  while (outbox.counts.waiting > 0) await sleep(10);
  note({ phase: 'done' });
  process.kill(process.pid, 'SIGKILL');
}

async function performRandomly() {
  for (;;) {
    const intent = begin();
    await sleep(draw() * 20);
    if (draw() < 0.1) discard(intent);
    else if (draw() < 0.9) await finish(intent);
  }
}

/** Records attempts until the disk is full, and on until it is not. */
async function performUntilFull() {
  let wasRefused = false;
  for (let hasRecovered = false; !hasRecovered;) {
    try {
      await finish(begin());
      hasRecovered = wasRefused;
    } catch (error) {
      if (!wasRefused) note({ phase: 'refused', reason: error.reason });
      wasRefused = true;
      await sleep(20);
    }
  }
  note({ phase: 'done' });
}

if (schedule === 'fill') await performUntilFull();
else if (schedule === 'steps') await performSteps();
else await Promise.all(Array.from({ length: 8 }, performRandomly));
