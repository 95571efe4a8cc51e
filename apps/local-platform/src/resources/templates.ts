import type { AIGateway, AIPolicy, NewResource } from '@gatehouse/ai-resources/resource';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { appPath } from '../services.ts';

/** The issuer in the resources of the repository: that of a platform without a port offset. */
const TEMPLATE_ISSUER = 'http://127.0.0.1:8090';

/** The demo provider in the resources of the repository. */
const TEMPLATE_DEMO_PROVIDER = 'http://127.0.0.1:8085';

/** The part of an AIGateway for the models of a demonstration. */
export type DemoModels = Required<Pick<AIGateway['spec'], 'providers' | 'routes'>>;

/** The resources of a new platform. */
export interface ResourceTemplates {
  readonly gateway: NewResource<AIGateway['spec']>;
  readonly policies: readonly NewResource<AIPolicy['spec']>[];
  /** Undefined without a demonstration. */
  readonly demoModels: DemoModels | undefined;
}

/**
 * Reads the resources of the repository.
 * @param issuer address of the platform's identity provider
 * @param demoProviderUrl address of the demo provider; undefined without a demonstration
 */
export function readTemplates(issuer: string, demoProviderUrl: string | undefined): ResourceTemplates {
  const demo = demoProviderUrl !== undefined;
  const read = <Spec>(name: string): NewResource<Spec> => {
    const text = readFileSync(appPath(`local-platform/resources/${name}.yaml`), 'utf8');
    const { metadata, spec } = parse(
      text.replaceAll(TEMPLATE_ISSUER, issuer).replaceAll(TEMPLATE_DEMO_PROVIDER, demoProviderUrl ?? ''),
    ) as NewResource<Spec>;
    return { metadata, spec };
  };
  const policies = ['aipolicy-administrators', ...(demo ? ['aipolicy-everyone'] : [])];
  return {
    gateway: read('aigateway-local'),
    policies: policies.map((name) => read(name)),
    demoModels: demo ? (read<AIGateway['spec']>('aigateway-demo').spec as DemoModels) : undefined,
  };
}
