import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type RunningPlatform, startPlatform } from './platform.ts';

const REDIRECT = 'http://127.0.0.1:7999/callback';

let platform: RunningPlatform;

beforeAll(async () => {
  platform = await startPlatform();
}, 120_000);
afterAll(() => platform.remove());

/** The memory of a stock client. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'Stock client', redirect_uris: [REDIRECT] };
  authorizationUrl = '';
  private client: OAuthClientInformationMixed | undefined;
  private stored: OAuthTokens | undefined;
  private verifier = '';

  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: OAuthTokens) => void (this.stored = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url.href);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
}

it('signs a stock client in that gets nothing but the address of the MCP endpoint', async () => {
  const memory = new Memory();
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${platform.json.urls.connector_gateway}/mcp`), { authProvider: memory });
  const first = open();
  await expect(new Client({ name: 'stock', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);

  const browser = new Browser();
  const signIn = await browser.open(memory.authorizationUrl);
  expect(signIn.url.startsWith(platform.json.issuer)).toBe(true);
  const consent = await browser.submit(signIn.url, { login: 'alice', password: platform.password('alice') });
  expect(consent.html).toContain('Stock client');
  expect(consent.html).toContain('alice');
  const fields = { form_token: hiddenField(consent.html, 'form_token'), decision: 'allow' };
  const end = await browser.submit(consent.url, fields, REDIRECT);

  await first.finishAuth(new URL(end.url).searchParams);
  const client = new Client({ name: 'stock', version: '1' });
  await client.connect(open());
  expect((await client.listTools()).tools).toEqual([]);
  expect(memory.tokens()?.refresh_token).toBeDefined();
  await client.close();
}, 120_000);
