import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { DemoModels } from './templates.ts';

type Spec = AIGateway['spec'];

/** The address of a provider on this machine, which follows the ports of the platform. */
const LOCAL_ADDRESS = /^http:\/\/127\.0\.0\.1:\d+$/;

/**
 * Adds the models of a demonstration to a gateway. Providers that exist keep their members, except
 * an address on this machine; routes are added together with a provider, so that a route that a
 * user deleted stays deleted.
 * @returns the changed members; undefined without a change
 */
export function addDemoModels({ providers = [], routes = [] }: Spec, demo: DemoModels): DemoModels | undefined {
  const missing = demo.providers.filter(({ name }) => !providers.some((provider) => provider.name === name));
  const moved = providers.map((provider) => moveProvider(provider, demo));
  const isMoved = moved.some((provider, at) => provider !== providers[at]);
  if (missing.length === 0 && !isMoved) return undefined;
  const added = missing.length === 0 ? [] : demo.routes;
  const newRoutes = added.filter(({ match }) => !routes.some((route) => route.match.model === match.model));
  return { providers: [...moved, ...missing], routes: [...routes, ...newRoutes] };
}

/** Whether a gateway has a provider of the demonstration. */
export const hasDemoModels = ({ providers = [] }: Spec): boolean =>
  providers.some(({ name, endpoint }) => name.startsWith('demo-') && LOCAL_ADDRESS.test(endpoint));

function moveProvider(provider: DemoModels['providers'][number], demo: DemoModels): typeof provider {
  const wanted = demo.providers.find(({ name }) => name === provider.name);
  if (wanted === undefined || wanted.endpoint === provider.endpoint || !LOCAL_ADDRESS.test(provider.endpoint))
    return provider;
  return { ...provider, endpoint: wanted.endpoint };
}
