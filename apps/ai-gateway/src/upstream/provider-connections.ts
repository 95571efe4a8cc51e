import type { Provider } from '@gatehouse/ai-resources/generated/types';
import { type Egress, openEgress } from '@gatehouse/egress/egress';
import { getAuthority } from '@gatehouse/egress/target';
import type { Dispatcher } from 'undici';

const MAX_RESPONSE_BYTES = 2 ** 40;

/**
 * The connections to providers. An administrator names the addresses of providers in the
 * AIGateway, so they may be private; loopback needs a setting of the deployment.
 */
export class ProviderConnections {
  private readonly open = new Map<string, Egress>();

  constructor(private readonly options: { readonly allowLoopback: boolean }) {}

  /**
   * Returns the dispatcher for a provider.
   * @param connectSeconds time to connect
   */
  getDispatcher({ endpoint }: Provider, connectSeconds: number): Dispatcher {
    const key = `${connectSeconds} ${endpoint}`;
    let egress = this.open.get(key);
    if (egress === undefined) {
      const authority = getAuthority(new URL(endpoint));
      egress = openEgress(
        { authority, allowPrivateIps: true, allowLoopback: this.options.allowLoopback },
        { limits: { connectTimeoutMs: connectSeconds * 1_000, maxResponseBytes: MAX_RESPONSE_BYTES } },
      );
      this.open.set(key, egress);
    }
    return egress.dispatcher;
  }

  /** Closes the connections to all endpoints that no provider has any more. */
  retain(providers: readonly Provider[]): void {
    const endpoints = new Set(providers.map(({ endpoint }) => endpoint));
    for (const [key, egress] of this.open) {
      if (endpoints.has(key.slice(key.indexOf(' ') + 1))) continue;
      this.open.delete(key);
      // Calls that are under way may end.
      void egress.dispatcher.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((egress) => egress.close()));
    this.open.clear();
  }
}
