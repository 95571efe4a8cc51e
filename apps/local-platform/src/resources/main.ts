// Runs once at each start of the platform, before the services. A process of its own keeps the
// memory of the stores out of the supervisor. It prints PreparedResources as JSON.
import { openResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { join } from 'node:path';
import { homePaths } from '../home.ts';
import { readSettings, type ResourceProgramSettings } from './config.ts';
import { CreatedPolicies } from './created-policies.ts';
import type { PreparedResources } from '../resource-program.ts';
import { prepareResources } from './resources.ts';

async function run(settings: ResourceProgramSettings): Promise<PreparedResources> {
  const stores = openResourceStores(settings);
  const lines: string[] = [];
  try {
    const { spec } = await prepareResources(stores, {
      issuer: settings.ISSUER,
      demoProviderUrl: settings.DEMO ? settings.DEMO_PROVIDER_URL : undefined,
      created: new CreatedPolicies(join(homePaths(settings.GATEHOUSE_HOME).config, 'created-policies.json')),
      report: (line) => lines.push(line),
    });
    const { providers = [], guardrails } = spec;
    const owners = [...providers, guardrails?.requestWebhook, guardrails?.responseWebhook];
    const ids = owners.map((owner) => owner?.managedSecretId).filter((id) => id !== undefined);
    return { lines, managedSecretIds: [...new Set(ids)] };
  } finally {
    await stores.close();
  }
}

/** The place of the resources, and what else the user can do when it cannot be used. */
function describePlace({ RESOURCES_FOLDER, GATEHOUSE_KUBECONFIG, NAMESPACE }: ResourceProgramSettings) {
  return RESOURCES_FOLDER === undefined
    ? {
        place: `the namespace ${NAMESPACE} of the cluster of ${GATEHOUSE_KUBECONFIG}`,
        advice: 'Without GATEHOUSE_KUBECONFIG, the platform keeps them as files in its home.',
      }
    : { place: RESOURCES_FOLDER, advice: undefined };
}

let settings: ResourceProgramSettings | undefined;
try {
  settings = readSettings();
  console.log(JSON.stringify(await run(settings)));
} catch (error) {
  if (!(error instanceof GatehouseError)) throw error;
  const { place = 'their place', advice } = settings ? describePlace(settings) : {};
  const lines = [`The AIGateway and the AIPolicies cannot be prepared in ${place}:`, error.message, advice];
  console.error(lines.filter((line) => line !== undefined).join('\n'));
  process.exitCode = 1;
}
