const TIMEOUT_MS = 3_000;
const KEEP_MS = 10 * 60_000;
const MAX_DOCUMENT_BYTES = 256 * 1024;

/** The endpoints and client of a sign-in: OpenID Connect with an authorization code and PKCE. */
export interface SignIn {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  client_id: string;
  scope: string;
}

/** The issuer and client of the sign-in on the reference page. */
export interface SignInOptions {
  /** Returns the issuer; undefined while there is none. It can change. */
  issuer: () => string | undefined;
  clientId: string;
  scope: string;
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Milliseconds. */
  now: () => number;
}

/**
 * Reads the issuer's endpoints from its discovery document (OpenID Connect Discovery 1.0 §4), and
 * keeps them for 10 minutes.
 */
export class SignInDiscovery {
  private known: { signIn: SignIn; at: number } | undefined;

  constructor(private readonly options: SignInOptions) {}

  /** @returns the sign-in; undefined while the issuer has no valid discovery document */
  async find(): Promise<SignIn | undefined> {
    const issuer = this.options.issuer();
    if (issuer === undefined) return undefined;
    const now = this.options.now();
    const known = this.known?.signIn.issuer === issuer ? this.known : undefined;
    if (known && now - known.at < KEEP_MS) return known.signIn;
    try {
      const signIn = await this.fetchEndpoints(issuer);
      this.known = { signIn, at: now };
      return signIn;
    } catch {
      return known?.signIn;
    }
  }

  private async fetchEndpoints(issuer: string): Promise<SignIn> {
    const { clientId, scope } = this.options;
    const response = await this.options.fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok || text.length > MAX_DOCUMENT_BYTES) throw new Error(`${issuer} answers ${response.status}`);
    const found = JSON.parse(text) as Record<string, unknown>;
    if (found['issuer'] !== issuer) throw new Error('the discovery document is of another issuer');
    const endpoint = (name: 'authorization_endpoint' | 'token_endpoint'): string => {
      const url = found[name];
      const allowed = issuer.startsWith('http:') ? /^https?:/ : /^https:/;
      if (typeof url !== 'string' || !URL.canParse(url) || !allowed.test(url))
        throw new Error(`${name} is not an allowed URL`);
      return url;
    };
    return {
      issuer,
      authorization_endpoint: endpoint('authorization_endpoint'),
      token_endpoint: endpoint('token_endpoint'),
      client_id: clientId,
      scope,
    };
  }
}
