import { extname, join } from 'node:path';
import { eventually } from '../eventually.ts';
import { startProcess } from '../process.ts';
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { BEDROCK_KEYS } from './bedrock-request.ts';
import { bedrock } from './bedrock.ts';
import { google } from './google.ts';
import { startGoogleTokenEndpoint } from './google-token-endpoint.ts';
import { openai } from './openai.ts';
import { VENDOR_NAMES, type VendorName, type VendorRecord } from './record.ts';
import { Simulator } from './simulator.ts';
import { vertex } from './vertex.ts';

/** The credentials and models that the simulators accept. */
export interface ModelVendorsOptions {
  /** Accepted credentials; default `VENDOR_KEYS`. */
  readonly keys?: Partial<Record<VendorName, readonly string[]>>;
  /** Models that exist; default `VENDOR_MODELS`. */
  readonly models?: Partial<Record<VendorName, readonly string[]>>;
}

/** Running simulators of the model vendors. */
export interface ModelVendors {
  /** Origins of the servers: `http://127.0.0.1:<port>`, one for each vendor. */
  readonly urls: Readonly<Record<VendorName, string>>;
  /** The key file of a service account, whose access tokens the simulator of Vertex AI accepts. */
  readonly googleKeyFile: string;
  /** All requests since the start, in the order of arrival. */
  readLog(): Promise<readonly VendorRecord[]>;
  close(): Promise<void>;
}

/** The credentials that vendors accept unless the options name others. Vertex AI accepts tokens. */
export const VENDOR_KEYS: Readonly<Record<Exclude<VendorName, 'vertex'>, string>> = {
  openai: 'sk-simulated-openai-key',
  anthropic: 'sk-ant-simulated-anthropic-key',
  google: 'AIzaSimulatedGoogleKey',
  azure: 'simulated-azure-key',
  bedrock: JSON.stringify(BEDROCK_KEYS),
};

/** The models that exist unless the options name others. */
export const VENDOR_MODELS: Readonly<Record<Exclude<VendorName, 'vertex'>, readonly string[]>> = {
  openai: ['gpt-5.4', 'gpt-5.4-mini', 'gpt-6-luna', 'text-embedding-3-small'],
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
  google: ['gemini-3.8-flash', 'gemini-2.5-flash', 'gemini-embedding-001'],
  // Its deployments are fixed.
  azure: [],
  bedrock: [
    'anthropic.claude-opus-5-5-v1:0',
    'anthropic.claude-sonnet-5-5-v1:0',
    'us.anthropic.claude-haiku-5-5-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-5-5-v1:0',
    'openai.gpt-oss-120b-1:0',
  ],
};

const VENDORS = { openai, anthropic, google, azure, bedrock, vertex };

/** Starts strict simulators of all vendors in this process. */
export async function startModelVendors(options: ModelVendorsOptions = {}): Promise<ModelVendors> {
  const log: VendorRecord[] = [];
  const endpoint = await startGoogleTokenEndpoint();
  const simulators = new Map<VendorName, Simulator>();
  for (const name of VENDOR_NAMES) {
    const keys = name === 'vertex' ? endpoint.tokens : new Set(options.keys?.[name] ?? [VENDOR_KEYS[name]]);
    const models = options.models?.[name] ?? listModels(name);
    simulators.set(name, await Simulator.start(VENDORS[name], { keys, models, log }));
  }
  return {
    urls: Object.fromEntries([...simulators].map(([name, { url }]) => [name, url])) as Record<VendorName, string>,
    googleKeyFile: endpoint.keyFile,
    readLog: () => Promise.resolve(log),
    close: async () => {
      await endpoint.close();
      for (const simulator of simulators.values()) await simulator.close();
    },
  };
}

const listModels = (name: VendorName): readonly string[] =>
  name === 'vertex' ? [...VENDOR_MODELS.google, ...VENDOR_MODELS.anthropic] : VENDOR_MODELS[name];

/** Starts the simulators in a process of their own, so that a test does not share its core. */
export async function startModelVendorsProcess(options: ModelVendorsOptions = {}): Promise<ModelVendors> {
  const main = join(import.meta.dirname, `main${extname(import.meta.filename)}`);
  const child = await startProcess({ command: [process.execPath, main, JSON.stringify(options)] });
  const line = await eventually(() => {
    const [first, rest] = child.stdout().split('\n');
    return rest !== undefined && first;
  }, 'the simulators have started');
  const { logUrl, ...facts } = JSON.parse(line) as Pick<ModelVendors, 'urls' | 'googleKeyFile'> & { logUrl: string };
  return {
    ...facts,
    readLog: async () => (await fetch(logUrl)).json() as Promise<VendorRecord[]>,
    close: () => child.killHard(),
  };
}
