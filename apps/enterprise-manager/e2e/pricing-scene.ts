import type { Answer } from '@gatehouse/testing/contract-client';
import type { TestManager } from './enterprise-manager.ts';

/** A catalog in requests and responses. */
export interface Catalog {
  effective_from: string;
  provider_aliases: Record<string, string>;
  spec: { entries: Entry[]; tools?: object };
}

/** A price in requests and responses. */
export interface Entry {
  provider: string;
  model: string;
  anthropic?: object;
  openai?: object;
  google?: object;
}

/** A version in responses. */
export interface Version {
  id: string;
  effective_from: string;
  source: 'baseline' | 'operator';
  state: 'staged' | 'in_effect' | 'superseded' | 'withdrawn';
  created_at: string;
  created_by?: string;
  entry_count: number;
}

/** Creates an OpenAI block with the two required rates. */
export const openai = (input = '1', output = '2') => ({
  openai: { inputUsdPerMillion: input, outputUsdPerMillion: output },
});

/** A token of the administrator, where another one than that of the scene is needed. */
type Scene = Pick<TestManager, 'client' | 'tokens'>;

/** The operations of administrators on prices, through the contract client. */
export const createPricingClient = ({ client, tokens }: Scene, token = tokens.admin) => {
  const call = <Body>(operation: string, options: object = {}) => client.call<Body>(operation, { token, ...options });
  const match = (tag: string | undefined) => (tag === undefined ? {} : { headers: { 'if-match': tag } });
  const tag = async (): Promise<string> => (await call('GET /v1/budgets/pricing')).headers.get('etag') ?? '';
  return {
    tag,
    catalog: async (): Promise<Catalog> => (await call<Catalog>('GET /v1/budgets/pricing')).body,
    versions: async (): Promise<Version[]> =>
      (await call<{ items: Version[] }>('GET /v1/budgets/pricing/versions', { query: { limit: 200 } })).body.items,
    version: async (id: string): Promise<Version & Catalog> =>
      (await call<Version & Catalog>('GET /v1/budgets/pricing/catalogs/{id}', { path: { id } })).body,
    /** The default tag is that of the catalog in effect; `null` sends none. */
    put: async <Body = Version & Catalog & { error: string }>(
      body: unknown,
      ifMatch?: string | null,
    ): Promise<Answer<Body>> =>
      call<Body>('PUT /v1/budgets/pricing', {
        body,
        ...match(ifMatch === null ? undefined : (ifMatch ?? (await tag()))),
      }),
    entry: (provider: string, model: string): Promise<Answer<Entry & { error: string }>> =>
      call('GET /v1/budgets/pricing/entries/{provider}/{model}', { path: { provider, model } }),
    putEntry: async (
      provider: string,
      model: string,
      body: unknown,
      ifMatch?: string | null,
    ): Promise<Answer<{ error: string }>> =>
      call('PUT /v1/budgets/pricing/entries/{provider}/{model}', {
        path: { provider, model },
        body,
        ...match(ifMatch === null ? undefined : (ifMatch ?? (await tag()))),
      }),
    deleteEntry: async (provider: string, model: string, ifMatch?: string | null): Promise<Answer<{ error: string }>> =>
      call('DELETE /v1/budgets/pricing/entries/{provider}/{model}', {
        path: { provider, model },
        ...match(ifMatch === null ? undefined : (ifMatch ?? (await tag()))),
      }),
    unstage: (effectiveFrom: string): Promise<Answer<{ error: string }>> =>
      call('DELETE /v1/budgets/pricing/versions/{effectiveFrom}', { path: { effectiveFrom } }),
  };
};
