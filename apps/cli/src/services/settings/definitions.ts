import { resolve } from 'node:path';
import { parseEngineAddress } from '@gatehouse/workloads/engine/engine-address';
import { DEFAULT_NETWORK_RANGES, parseNetworkRanges } from '@gatehouse/workloads/engine/subnets';
import { DEFAULT_IMAGES, parseRuntimeImage, parseRuntimePackages } from '@gatehouse/workloads/flags/build-flags';
import { readCertificates } from '@gatehouse/workloads/flags/certificates';
import { requireNamespaceName, requireRegistry } from '@gatehouse/workloads/flags/cluster-address';
import { SCHEMES, type Scheme } from '@gatehouse/workloads/flags/package-reference';
import type { CliConfig } from '../../config/config.ts';
import { nearest } from '../../errors/nearest.ts';
import { UsageError } from '../../errors/cli-error.ts';

/** The value of a setting. */
export type SettingValue = string | boolean | readonly string[];

/** One setting of the command line. */
export interface SettingDefinition {
  readonly key: string;
  /** The form of its values, for a person. */
  readonly type: string;
  readonly description: string;
  /** Undefined: there is none. */
  readonly defaultValue: SettingValue | undefined;
  /**
   * Parses a text of the user or of the file.
   * @throws WorkloadError or CliError (usage) that names the key
   */
  readonly parse: (text: string) => SettingValue;
  /** Completes and checks a new text of the user in its folder; by default nothing. */
  readonly prepare?: (text: string, folder: string) => string;
  /** The environment variable that has precedence, and its value. */
  readonly environment?: (config: CliConfig) => { readonly variable: string; readonly value: string } | undefined;
}

const named = (key: string, text: string): string => `The setting ${key} ${JSON.stringify(text)}`;

function parseChoice(key: string, text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text;
  throw new UsageError(`${named(key, text)} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`);
}

/** The items of a list with commas. */
const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const createSchemeSettings = (scheme: Scheme): SettingDefinition[] => {
  const image = `runtime.${scheme}.image`;
  const packages = `runtime.${scheme}.packages`;
  return [
    {
      key: image,
      type: 'image reference',
      description: `base image of ${scheme}:// packages, without --runtime-image`,
      defaultValue: DEFAULT_IMAGES[scheme],
      parse: (text) => parseRuntimeImage(text, named(image, text)),
    },
    {
      key: packages,
      type: 'names with commas',
      description: `packages of the operating system for ${scheme}:// packages, without --runtime-add-package`,
      defaultValue: undefined,
      parse: (text) => parseRuntimePackages(splitList(text), `The setting ${packages}`),
    },
  ];
};

/** All settings, sorted by key. */
export const SETTINGS: readonly SettingDefinition[] = [
  {
    key: 'ca_bundle',
    type: 'path',
    description: 'file with certificates of authorities for calls to registries, without --gatehouse-ca-bundle',
    defaultValue: undefined,
    parse: (text) => text,
    prepare: (text, folder) => {
      const path = resolve(folder, text);
      readCertificates(path, named('ca_bundle', text));
      return path;
    },
  },
  {
    key: 'ca_certificate',
    type: 'path',
    description: 'file with certificates that builds and servers of packages trust, without --ca-cert',
    defaultValue: undefined,
    parse: (text) => text,
    prepare: (text, folder) => {
      const path = resolve(folder, text);
      readCertificates(path, named('ca_certificate', text));
      return path;
    },
  },
  {
    key: 'engine',
    type: 'address',
    description: 'address of the container engine for new workloads',
    defaultValue: undefined,
    parse: (text) => {
      parseEngineAddress(text, 'The setting engine');
      return text;
    },
    environment: ({ engine }) => {
      if (engine.dockerHost) return { variable: 'DOCKER_HOST', value: engine.dockerHost };
      return engine.dockerContext ? { variable: 'DOCKER_CONTEXT', value: engine.dockerContext } : undefined;
    },
  },
  {
    key: 'ignore_globally',
    type: 'true or false',
    description: 'whether run loads the global ignore file, without --ignore-globally',
    defaultValue: true,
    parse: (text) => parseChoice('ignore_globally', text, ['true', 'false']) === 'true',
  },
  {
    key: 'image_verification',
    type: 'warn, enabled or disabled',
    description: 'verification of images, without --image-verification',
    defaultValue: 'warn',
    parse: (text) => parseChoice('image_verification', text, ['warn', 'enabled', 'disabled']),
  },
  {
    key: 'kubernetes.context',
    type: 'name',
    description: 'context of the kubeconfig for workloads in Kubernetes, without --kube-context',
    defaultValue: undefined,
    parse: (text) => text,
  },
  {
    key: 'kubernetes.namespace',
    type: 'name',
    description: 'namespace of workloads in Kubernetes, without --kube-namespace',
    defaultValue: undefined,
    parse: (text) => requireNamespaceName('The setting kubernetes.namespace', text),
  },
  {
    key: 'kubernetes.proxy_image',
    type: 'image reference',
    description: 'image of the proxy of workloads in Kubernetes, instead of the one of this command line',
    defaultValue: undefined,
    parse: (text) => parseRuntimeImage(text, named('kubernetes.proxy_image', text)),
  },
  {
    key: 'kubernetes.registry',
    type: 'host/path',
    description: 'registry to which images of the proxy and of packages are pushed for Kubernetes',
    defaultValue: undefined,
    parse: (text) => requireRegistry('The setting kubernetes.registry', text),
  },
  {
    key: 'network_range',
    type: 'IPv4 blocks with commas',
    description: 'blocks for the networks of new workloads',
    defaultValue: DEFAULT_NETWORK_RANGES,
    parse: (text) => parseNetworkRanges(text, 'The setting network_range'),
    environment: ({ networkRange }) =>
      networkRange ? { variable: 'GATEHOUSE_NETWORK_RANGE', value: networkRange } : undefined,
  },
  ...SCHEMES.toSorted().flatMap(createSchemeSettings),
  {
    key: 'trusted_root',
    type: 'path',
    description: 'file with the trusted root of a private Sigstore instance, for the verification of images',
    defaultValue: undefined,
    parse: (text) => text,
    prepare: (text, folder) => resolve(folder, text),
  },
];

/** The key of the registry, which `gatehouse registry set` changes. */
export const REGISTRY_KEY = 'registry';

/**
 * Returns the setting of a key.
 * @throws UsageError for an unknown key, with the most similar known key
 */
export function requireSetting(key: string): SettingDefinition {
  const found = SETTINGS.find((setting) => setting.key === key);
  if (found !== undefined) return found;
  const near = nearest(
    key,
    SETTINGS.map((setting) => setting.key),
  );
  throw new UsageError(`There is no setting '${key}'`, [
    ...(near === undefined ? [] : [`${near}   instead of ${key}`]),
    'gatehouse settings list   shows all of them',
  ]);
}
