import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startMeasured } from '../gateway/measured-process.mjs';
import { MODEL } from './scene.mjs';

const MASTER_KEY = 'sk-bench';

/**
 * Starts the proxy of LiteLLM with one worker and without its database: it prices calls, but it has
 * no virtual keys, no budgets, and stores no usage.
 * @param venv a Python environment with `litellm[proxy]`
 * @returns its port, its process and the headers of its callers
 */
export async function startLitellm({ home, venv, provider }) {
  const folder = join(home, 'litellm');
  mkdirSync(folder);
  const config = join(folder, 'config.yaml');
  const upstream = { model: `openai/${MODEL}`, api_base: `http://127.0.0.1:${provider}/v1`, api_key: 'sk-provider' };
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({
      model_list: [{ model_name: MODEL, litellm_params: upstream }],
      general_settings: { master_key: MASTER_KEY },
      litellm_settings: { telemetry: false, num_retries: 0 },
    }),
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child } = await startMeasured(
    join(venv, 'bin/litellm'),
    ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    {
      env: {
        HOME: folder,
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_LOG: 'ERROR',
        LITELLM_MODE: 'PRODUCTION',
        NO_DOCS: 'True',
      },
      logFile: join(folder, 'log'),
      isReady: () =>
        fetch(`${url}/health/liveliness`).then(
          ({ ok }) => ok,
          () => false,
        ),
    },
  );
  return { port, child, headers: `Authorization: Bearer ${MASTER_KEY}\r\n` };
}
