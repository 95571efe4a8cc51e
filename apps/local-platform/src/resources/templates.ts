import type { AIGateway, AIPolicy, NewResource } from '@gatehouse/ai-resources/resource';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { appPath } from '../services.ts';

/** The issuer in the resources of the repository: that of a platform without a port offset. */
const TEMPLATE_ISSUER = 'http://127.0.0.1:8090';

/** The resources of a new platform. */
export interface ResourceTemplates {
  readonly gateway: NewResource<AIGateway['spec']>;
  readonly policies: readonly NewResource<AIPolicy['spec']>[];
}

/**
 * Reads the resources of the repository.
 * @param issuer address of the platform's identity provider
 * @param demo whether to add those of a demonstration
 */
export function readTemplates(issuer: string, demo: boolean): ResourceTemplates {
  const read = <Spec>(name: string): NewResource<Spec> => {
    const text = readFileSync(appPath(`local-platform/resources/${name}.yaml`), 'utf8');
    const { metadata, spec } = parse(text.replaceAll(TEMPLATE_ISSUER, issuer)) as NewResource<Spec>;
    return { metadata, spec };
  };
  const policies = ['aipolicy-administrators', ...(demo ? ['aipolicy-everyone'] : [])];
  return { gateway: read('aigateway-local'), policies: policies.map((name) => read(name)) };
}
