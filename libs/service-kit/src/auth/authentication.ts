import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { MissingVerifierConfig, VerifierConfig } from '@gatehouse/auth/verifier-config';
import { createConfiguredFetch } from '@gatehouse/egress/configured';
import type { ServiceSettings } from '../config/config.ts';

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The issuers and audiences of access tokens, which can change while the service runs. */
export interface LiveAuthentication {
  /** The configuration in force, or the reason why there is none now. */
  readonly config: VerifierConfig | MissingVerifierConfig;
  /** Calls the listener after each change of `config`. */
  onChange(listener: () => void): void;
}

/** The parts of a service that its authentication uses. */
export interface AuthenticationOptions {
  now: () => Date;
  /** Fetches documents of the issuers; default: a fetch that permits their addresses. */
  fetch?: Fetch | undefined;
}

/** The token verifier of a service and the issuers that it trusts, now. */
export class Authentication {
  readonly verifier: TokenVerifier;
  private configuredFetch: { addresses: string; fetch: Fetch } | undefined;

  constructor(
    private readonly source: LiveAuthentication,
    private readonly options: AuthenticationOptions,
  ) {
    this.verifier = new TokenVerifier({ ...source.config, now: options.now, fetch: this.fetch });
    source.onChange(() => this.verifier.configure(source.config));
  }

  /** The accepted issuers; empty while there is no configuration. */
  get issuers(): readonly string[] {
    const { config } = this.source;
    return 'missing' in config ? [] : config.issuers.map(({ issuer }) => issuer);
  }

  /** Sends a request to an issuer, with the permissions of the issuers in force. */
  readonly fetch: Fetch = (input, init) => (this.options.fetch ?? this.openFetch())(input, init);

  /** The fetch of the issuers in force. It is replaced when their addresses change. */
  private openFetch(): Fetch {
    const { config } = this.source;
    const issuers = 'missing' in config ? [] : config.issuers;
    const addresses = issuers.flatMap(({ issuer, jwks_uri }) =>
      jwks_uri === undefined ? [issuer] : [issuer, jwks_uri],
    );
    const key = JSON.stringify(addresses);
    if (this.configuredFetch?.addresses !== key)
      this.configuredFetch = { addresses: key, fetch: createConfiguredFetch(addresses) };
    return this.configuredFetch.fetch;
  }
}

/**
 * The authentication that the settings ISSUERS and AUDIENCE describe. It does not change.
 * @throws Error when the settings lack one of them
 */
export function readAuthentication({ ISSUERS: issuers, AUDIENCE: audience }: ServiceSettings): LiveAuthentication {
  if (issuers === undefined || audience === undefined)
    throw new Error('a service needs ISSUERS and AUDIENCE in its settings, or its own authentication');
  return { config: { issuers, audience }, onChange: () => undefined };
}
