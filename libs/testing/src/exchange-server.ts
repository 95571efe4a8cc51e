import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, type JWK, SignJWT } from 'jose';
import { randomUUID, type webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuardedRequest } from './guard.ts';

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';
const ID_JAG = `${TOKEN_TYPE}id-jag`;

/** The requests that an exchange server accepts. Every other one is refused. */
export interface ExchangeRules {
  /** The keys and the issuer of the tokens or assertions that it takes. */
  trusted: () => { issuer: string; keys: JWK[] };
  client: { id: string; secret: string; method: 'client_secret_basic' | 'client_secret_post' } | undefined;
  audience?: string;
  scope?: string;
  resource?: string;
  subjectTokenType?: string;
  /** Tenant of the on-behalf-of endpoint. */
  tenant?: string;
  /** Roles of STS that exist. */
  roles?: string[];
}

/** A credential that the server issued. */
export interface IssuedCredential {
  subject: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  sessionToken?: string;
  role?: string;
  sessionName?: string;
}

/** A response instead of that of the server. */
export interface OtherResponse {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: unknown;
  delayMs?: number;
}

class Refusal extends Error {
  constructor(
    readonly error: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Token endpoints that verify what they receive: token exchange (RFC 8693) and assertions (ID-JAG)
 * at `/token`, the on-behalf-of flow at `/<tenant>/oauth2/v2.0/token`, and AWS STS at `/`. Each
 * checks the client, the signature of the subject token, and all parameters.
 */
export class ExchangeServer {
  readonly requests: { path: string; form: URLSearchParams; authorization: string | undefined }[] = [];
  readonly issued = new Map<string, IssuedCredential>();
  /** Answers the next token requests; undefined lets the server answer. */
  answer: OtherResponse | undefined;
  /** Seconds; undefined leaves `expires_in` out. */
  lifetime: number | undefined = 300;
  private readonly kid = randomUUID();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  private constructor(
    readonly rules: ExchangeRules,
    private readonly keys: { publicKey: webcrypto.CryptoKey; privateKey: webcrypto.CryptoKey },
    private readonly publicJwk: JWK,
  ) {}

  static async start(rules: ExchangeRules): Promise<ExchangeServer> {
    const keys = await generateKeyPair('ES256', { extractable: true });
    const exchange = new ExchangeServer(rules, keys, await exportJWK(keys.publicKey));
    exchange.server.listen(0, '127.0.0.1');
    await once(exchange.server, 'listening');
    return exchange;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The issuer and the keys of its assertions. */
  get trust(): { issuer: string; keys: JWK[] } {
    return { issuer: this.origin, keys: [{ ...this.publicJwk, kid: this.kid, alg: 'ES256' }] };
  }

  /** Ends all issued credentials. */
  revokeAll(): void {
    this.issued.clear();
  }

  /** The fault of a request with a bearer token; undefined for a living one of this server. */
  findBearerFault({ headers }: GuardedRequest, header = 'authorization'): string | undefined {
    const token = /^Bearer (\S+)$/.exec(headers[header] ?? '')?.[1];
    return token !== undefined && this.issued.has(token) ? undefined : 'no living token of this server';
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? '/';
    if (path.startsWith('/.well-known/')) {
      sendJson(response, 200, this.metadata());
      return;
    }
    const received = { path, form: new URLSearchParams(text), authorization: request.headers.authorization };
    this.requests.push(received);
    if (this.answer !== undefined) sendOther(response, this.answer);
    else if (received.form.has('Action')) await this.serveSts(received.form, response);
    else await this.serveTokens(received, response);
  }

  private async serveSts(form: URLSearchParams, response: ServerResponse): Promise<void> {
    try {
      sendXml(response, 200, await this.assumeRole(form));
    } catch (error) {
      sendXml(response, 400, createStsError(toRefusal(error).error));
    }
  }

  private async serveTokens(received: ExchangeServer['requests'][number], response: ServerResponse): Promise<void> {
    try {
      this.checkClient(received);
      sendJson(response, 200, await this.grant(received.path, received.form));
    } catch (cause) {
      const { error, message } = toRefusal(cause);
      sendJson(response, error === 'invalid_client' ? 401 : 400, { error, error_description: message });
    }
  }

  private metadata(): Record<string, unknown> {
    return { issuer: this.origin, token_endpoint: `${this.origin}/token`, response_types_supported: ['code'] };
  }

  private checkClient({ form, authorization }: ExchangeServer['requests'][number]): void {
    const { client } = this.rules;
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64').toString().split(':').map(decodeForm)
      : [form.get('client_id'), form.get('client_secret')];
    const isRight =
      client === undefined
        ? id === null && secret === null
        : id === client.id &&
          secret === client.secret &&
          (basic !== undefined) === (client.method === 'client_secret_basic');
    if (!isRight) throw new Refusal('invalid_client', 'wrong client authentication');
  }

  private async grant(path: string, form: URLSearchParams): Promise<Record<string, unknown>> {
    const { tenant } = this.rules;
    const grantType = form.get('grant_type')?.replace('urn:ietf:params:oauth:grant-type:', '');
    if (path === '/token' && grantType === 'token-exchange') return this.exchange(form);
    if (grantType !== 'jwt-bearer') throw new Refusal('unsupported_grant_type', String(grantType));
    if (tenant === undefined && path === '/token') return this.redeemAssertion(form);
    if (path !== `/${tenant}/oauth2/v2.0/token`) throw new Refusal('invalid_request', `unknown path ${path}`);
    this.require(form, { requested_token_use: 'on_behalf_of', scope: this.rules.scope });
    return this.issue((await this.verify(form.get('assertion'))).subject);
  }

  private async exchange(form: URLSearchParams): Promise<Record<string, unknown>> {
    const { audience, scope, resource, subjectTokenType = `${TOKEN_TYPE}access_token` } = this.rules;
    this.require(form, { subject_token_type: subjectTokenType, audience, scope, resource });
    const { subject } = await this.verify(form.get('subject_token'));
    if (form.get('requested_token_type') !== ID_JAG)
      return { ...this.issue(subject), issued_token_type: `${TOKEN_TYPE}access_token` };
    const claims = { client_id: 'target-client', resource, scope };
    const assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: this.kid, typ: 'oauth-id-jag+jwt' })
      .setIssuer(this.origin)
      .setSubject(subject)
      .setAudience(audience ?? '')
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(this.keys.privateKey);
    return { access_token: assertion, issued_token_type: ID_JAG, token_type: 'N_A', expires_in: 120 };
  }

  private async redeemAssertion(form: URLSearchParams): Promise<Record<string, unknown>> {
    const { audience, client } = this.rules;
    const { subject, claims } = await this.verify(form.get('assertion'), { typ: 'oauth-id-jag+jwt', audience });
    if (claims['client_id'] !== client?.id) throw new Refusal('invalid_grant', 'the assertion is for another client');
    return this.issue(subject);
  }

  private async assumeRole(form: URLSearchParams): Promise<string> {
    this.require(form, { Action: 'AssumeRoleWithWebIdentity', Version: '2011-06-15' });
    const { subject } = await this.verify(form.get('WebIdentityToken'));
    const role = form.get('RoleArn') ?? '';
    const sessionName = form.get('RoleSessionName') ?? '';
    if (this.rules.roles?.includes(role) !== true) throw new Refusal('AccessDenied', role);
    if (!/^[\w+=,.@-]{2,64}$/.test(sessionName)) throw new Refusal('ValidationError', sessionName);
    const accessKeyId = `ASIA${randomUUID().slice(0, 8).toUpperCase()}`;
    const secretAccessKey = randomUUID();
    const sessionToken = `${randomUUID()}/+==`;
    this.issued.set(accessKeyId, { subject, accessKeyId, secretAccessKey, sessionToken, role, sessionName });
    const end = new Date(Date.now() + Number(form.get('DurationSeconds')) * 1000).toISOString();
    return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId>
      <SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken>
      <Expiration>${end}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
  }

  private require(form: URLSearchParams, wanted: Record<string, string | undefined>): void {
    for (const [name, value] of Object.entries(wanted))
      if (form.get(name) !== (value ?? null))
        throw new Refusal(name === 'audience' ? 'invalid_target' : 'invalid_request', `${name} is ${form.get(name)}`);
  }

  private async verify(token: string | null, options: { typ?: string; audience?: string | undefined } = {}) {
    const { issuer, keys } = this.rules.trusted();
    try {
      const { typ, audience } = options;
      const { payload } = await jwtVerify(token ?? '', createLocalJWKSet({ keys }), {
        issuer,
        ...(typ !== undefined && { typ }),
        ...(audience !== undefined && { audience }),
      });
      return { subject: String(payload.sub), claims: payload };
    } catch (error) {
      throw new Refusal('invalid_grant', String(error));
    }
  }

  private issue(subject: string): Record<string, unknown> {
    const token = randomUUID();
    this.issued.set(token, { subject });
    return {
      access_token: token,
      token_type: 'Bearer',
      ...(this.lifetime !== undefined && { expires_in: this.lifetime }),
    };
  }
}

const toRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal('server_error', String(error));

/** Decodes a part of the credentials of a client (RFC 6749, section 2.3.1). */
const decodeForm = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const createStsError = (code: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`;

function sendXml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendOther(response: ServerResponse, { status = 200, type, headers, body, delayMs = 0 }: OtherResponse): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const respond = () => {
    response.writeHead(status, { 'content-type': type ?? 'application/json', ...headers }).end(text);
  };
  if (delayMs === 0) respond();
  else setTimeout(respond, delayMs).unref();
}
