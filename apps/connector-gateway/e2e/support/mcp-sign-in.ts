import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { auth, type OAuthClientProvider, type OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';

/** The redirect URI of a client that runs on this machine; nothing listens there. */
export const CLIENT_REDIRECT = 'http://127.0.0.1:7999/callback';

/** The memory of a stock client: it gets the address of a server and nothing else. */
export class ClientMemory implements OAuthClientProvider {
  client: OAuthClientInformationMixed | undefined;
  stored: OAuthTokens | undefined;
  authorizationUrl: URL | undefined;
  /** The authorization whose code is redeemed; by default the last that began. */
  chosenUrl: URL | undefined;
  private verifier = '';
  /** The code verifiers of all authorizations, by their challenge. */
  private readonly verifiers = new Map<string, string>();
  private discovered: OAuthDiscoveryState | undefined;

  constructor(
    private readonly metadata: Partial<OAuthClientMetadata> = {},
    readonly redirectUrl = CLIENT_REDIRECT,
  ) {}

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Stock client',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...this.metadata,
    };
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.stored;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.stored = tokens;
  }
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') this.stored = undefined;
    if (scope === 'all' || scope === 'client') this.client = undefined;
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
    this.verifiers.set(getChallenge(url), this.verifier);
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    const url = this.chosenUrl ?? this.authorizationUrl;
    return (url && this.verifiers.get(getChallenge(url))) ?? this.verifier;
  }
}

const getChallenge = (url: URL): string => url.searchParams.get('code_challenge') ?? '';

/** Opens an authorization request and signs in; returns the consent page. */
export async function openConsent(url: string | URL, browser = new Browser()) {
  const page = await browser.open(String(url));
  return { browser, page };
}

/** Decides on a consent page; returns the redirect to the client. */
export async function decide(
  { browser, page }: Awaited<ReturnType<typeof openConsent>>,
  decision: 'allow' | 'deny' = 'allow',
  redirectUri = CLIENT_REDIRECT,
): Promise<URL> {
  const fields = { form_token: hiddenField(page.html, 'form_token'), decision };
  const end = await browser.submit(page.url, fields, redirectUri);
  return new URL(end.url);
}

/** Signs a stock client in at an MCP server, with a user who consents. */
export async function signIn(serverUrl: string, memory = new ClientMemory()): Promise<ClientMemory> {
  const first = await auth(memory, { serverUrl });
  if (first !== 'REDIRECT' || memory.authorizationUrl === undefined)
    throw new Error(`the client was not sent to the authorization server: ${first}`);
  const redirect = await decide(await openConsent(memory.authorizationUrl));
  await auth(memory, { serverUrl, authorizationCode: redirect.searchParams.get('code') ?? '' });
  return memory;
}
