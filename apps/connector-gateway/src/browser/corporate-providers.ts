import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { discoverProvider } from '@gatehouse/oauth-client/discovery';
import { createProvider, type Provider, type ProviderHttp } from '@gatehouse/oauth-client/provider';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '../config/config.ts';

/** A corporate provider at which users sign in in a browser. */
export interface SignInIssuer {
  /** The id of the issuer in ISSUERS. */
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scope: string;
}

const TIMEOUT_S = 10;
const MAX_AGE_MS = 600_000;
const MAX_PROVIDERS = 100;

/** The corporate providers at which users sign in in a browser: those of SIGN_IN_CLIENTS. */
@Injectable()
export class CorporateProviders {
  readonly issuers: readonly SignInIssuer[];
  private readonly providers = new LRUCache<string, Promise<Provider>>({ max: MAX_PROVIDERS, ttl: MAX_AGE_MS });

  constructor(@Inject(SETTINGS) { ISSUERS, SIGN_IN_CLIENTS }: Settings) {
    this.issuers = (SIGN_IN_CLIENTS ?? []).flatMap(
      ({ issuer: id, client_id: clientId, client_secret: clientSecret, scope }) => {
        const issuer = ISSUERS.find((entry) => entry.id === id)?.issuer;
        return issuer === undefined ? [] : [{ id, issuer, clientId, clientSecret, scope }];
      },
    );
  }

  /** This gateway as a client. @throws ProviderUnavailableError, InvalidProviderError */
  get(issuer: SignInIssuer): Promise<Provider> {
    const known = this.providers.get(issuer.id);
    if (known !== undefined) return known;
    const provider = discover(issuer);
    this.providers.set(issuer.id, provider);
    provider.catch(() => {
      if (this.providers.peek(issuer.id) === provider) this.providers.delete(issuer.id);
    });
    return provider;
  }
}

async function discover({ issuer, clientId, clientSecret }: SignInIssuer): Promise<Provider> {
  const send = createConfiguredFetch([issuer]);
  const http: ProviderHttp = {
    fetch: (url, init) => send(url, init),
    timeoutS: TIMEOUT_S,
    allowsHttp: issuer.startsWith('http:'),
  };
  const metadata = await discoverProvider(issuer, http, { prefers: 'openid', requiresPkce: false });
  return createProvider(metadata, { clientId, clientSecret }, http);
}
