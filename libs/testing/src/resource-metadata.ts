import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ContractService, createAnswerCheck } from './contract-client.ts';
import type { TestIssuer, TokenRequest } from './issuer.ts';

/** A request that needs a token. */
export interface ProtectedRequest {
  /** Sends the request and reads the whole response. */
  send: (token: string | undefined) => Promise<{ status: number; headers: Headers }>;
  issuer: TestIssuer;
  /** The accepted token, without its audience. */
  token?: TokenRequest;
}

/** The result of following the challenge of a request. */
export interface FollowedChallenge {
  /** Status without a token. */
  unauthenticated: number;
  /** Address in the challenge; undefined without one. */
  metadataUrl: string | undefined;
  /** Status and body at that address. */
  metadata: { status: number; body: { resource?: string; authorization_servers?: string[] } } | undefined;
  /** Status with a token for the resource that the metadata names. */
  own: number | undefined;
  /** Status with a token for another resource. */
  foreign: number;
}

/**
 * Sends the request without a token, follows the challenge to its resource metadata (RFC 9728), and
 * sends the request with a token for that resource.
 */
export async function followChallenge({ send, issuer, token }: ProtectedRequest): Promise<FollowedChallenge> {
  const statusFor = async (audience: string) => (await send(await issuer.token({ ...token, audience }))).status;
  const challenged = await send(undefined);
  const metadataUrl = getResourceMetadataUrl(challenged);
  const metadata = metadataUrl === undefined ? undefined : await jsonAt(metadataUrl);
  const resource = metadata?.body.resource;
  return {
    unauthenticated: challenged.status,
    metadataUrl,
    metadata,
    own: resource === undefined ? undefined : await statusFor(resource),
    foreign: await statusFor(`${resource ?? 'https://nowhere.test'}/elsewhere`),
  };
}

/** The address of the resource metadata in the challenge of a response. */
const getResourceMetadataUrl = ({ headers }: { headers: Headers }): string | undefined =>
  /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];

const jsonAt = async (url: string): Promise<NonNullable<FollowedChallenge['metadata']>> => {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as { resource?: string } };
};

/** A GET request with or without a token. */
const read = async (url: string, token: string | undefined): Promise<Response> => {
  const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  await response.text();
  return response;
};

/** A service that was started for the tests of its resource metadata. */
export interface StartedService {
  url: string;
  issuer: TestIssuer;
  close(): Promise<void>;
}

/** A service under test, and one of its addresses. */
export interface ResourceMetadataSubject {
  service: ContractService;
  /** Starts the service with further variables, without PUBLIC_URL. */
  start: (environment: Record<string, string>) => Promise<StartedService>;
  /** An address that every user may read. */
  path: string;
  token?: TokenRequest;
  /** The variable of its public address; default PUBLIC_URL. */
  publicUrlVariable?: string;
}

/** Generates the tests for services whose challenge names their resource metadata. */
export function describeResourceMetadata(subject: ResourceMetadataSubject): void {
  const { service, start, path, token, publicUrlVariable = 'PUBLIC_URL' } = subject;
  const check = createAnswerCheck(service);
  const open: StartedService[] = [];
  const started = async (environment: Record<string, string>) => {
    const one = await start(environment);
    open.push(one);
    return one;
  };
  const follow = ({ url, issuer }: StartedService) =>
    followChallenge({ send: (bearer) => read(`${url}${path}`, bearer), issuer, ...(token && { token }) });
  const wellKnown = '/.well-known/oauth-protected-resource';

  describe(`the resource metadata of ${service}`, () => {
    let plain: StartedService;
    beforeAll(async () => {
      plain = await started({});
    }, 60_000);
    afterAll(async () => {
      for (const one of open) await one.close();
    });

    it('has its address in the challenge and names a resource that is accepted as audience', async () => {
      expect(await follow(plain)).toMatchObject({
        unauthenticated: 401,
        metadataUrl: `${plain.url}${wellKnown}`,
        metadata: { status: 200, body: { resource: plain.url, authorization_servers: [plain.issuer.issuer] } },
        own: 200,
        foreign: 401,
      });
      expect((await check(`GET ${wellKnown}`, await fetch(`${plain.url}${wellKnown}`))).status).toBe(200);
    });

    it('has the path of the public address after the well-known part (RFC 9728, section 3.1)', async () => {
      const behind = await started({ [publicUrlVariable]: 'https://example.test/gate/house' });
      const challenge = getResourceMetadataUrl(await read(`${behind.url}${path}`, undefined));
      expect(challenge).toBe(`https://example.test${wellKnown}/gate/house`);
      const at = async (rest: string) =>
        check(`GET ${wellKnown}/{path}`, await fetch(`${behind.url}${wellKnown}/${rest}`));
      const { status, body } = await at('gate/house');
      expect([status, body]).toMatchObject([200, { resource: 'https://example.test/gate/house' }]);
      for (const rest of ['gate', 'gate/house/', 'gate/house/x', 'GATE/HOUSE', 'gate//house'])
        expect([rest, (await at(rest)).status]).toEqual([rest, 404]);
    }, 60_000);

    it('is absent, also from the challenge, when the deployment does not publish it', async () => {
      const silent = await started({ PUBLISH_RESOURCE_METADATA: 'false' });
      expect(await follow(silent)).toMatchObject({ unauthenticated: 401, metadataUrl: undefined, foreign: 401 });
      expect((await check(`GET ${wellKnown}`, await fetch(`${silent.url}${wellKnown}`))).status).toBe(404);
    }, 60_000);
  });
}
