import { type AnswerCheck, createAnswerCheck, readDocument } from '@gatehouse/testing/contract-client';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** URNs of SCIM messages and schemas. */
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A SCIM response. */
export interface ScimResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** A user or group in a response. */
export interface Resource {
  id: string;
  meta: { version: string; location: string; created: string; lastModified: string; resourceType: string };
  userName: string;
  displayName: string;
  externalId?: string;
  active: boolean;
  emails?: { value: string }[];
  groups?: { value: string; type: string }[];
  members?: { value: string; type: string; display: string }[];
}

/** A page in a response. */
export interface List {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: Resource[];
}

/** The body of an error. */
export interface ScimFailureBody {
  schemas: string[];
  status: string;
  scimType?: string;
  detail: string;
}

/** A SCIM token as the operations for administrators return it. */
export interface Token {
  id: string;
  secret: string;
  state: string;
  last_used_at?: string;
  previous_secret_valid_until?: string;
}

/** Creates a SCIM token as an administrator. */
export async function makeScimToken(manager: TestManager, issuer_id = 'local', more: object = {}): Promise<Token> {
  const { status, body } = await manager.client.call<Token>('POST /v1/scim-tokens', {
    token: manager.tokens.admin,
    body: { issuer_id, name: `Test ${randomUUID()}`, ...more },
  });
  if (status !== 201) throw new Error(`no SCIM token: ${status}`);
  return body;
}

const document = readDocument('enterprise-manager');
let checked: AnswerCheck | undefined;

/** The documented operation of a request; undefined for undocumented paths and methods. */
const findOperation = (method: string, path: string): string | undefined => {
  const [pathname = ''] = `/scim/{issuer_id}/v2${path}`.split(/[?#]/);
  const matchTemplate = (template: string) =>
    new RegExp(`^${template.replace('/.', '/\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname);
  const templates = Object.keys(document.paths).filter(matchTemplate);
  // A literal path, such as `/Users/.search`, takes precedence over a path with an id.
  const template = templates.find((candidate) => candidate === pathname) ?? templates[0];
  return template !== undefined && document.paths[template]?.[method.toLowerCase()]
    ? `${method.toUpperCase()} ${template}`
    : undefined;
};

/**
 * A provisioning client of an issuer. It sends JSON as `application/scim+json` and compares each
 * answer of a documented operation with the contract.
 * @throws {Error} if an answer differs from the contract
 */
export const createScimClient =
  (manager: Pick<TestManager, 'baseUrl'>, secret: string, issuerId = 'local') =>
  async <Body = Resource>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimResponse<Body>> => {
    const response = await fetch(`${manager.baseUrl}/scim/${issuerId}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const operation = findOperation(method, path);
    if (operation !== undefined) {
      checked ??= createAnswerCheck('enterprise-manager', document);
      return checked<Body>(operation, response);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  };

/** A client that `createScimClient` returns. */
export type ScimClient = ReturnType<typeof createScimClient>;

/** A user body with an unused name. */
export const createUserBody = (more: object = {}) => ({
  schemas: [USER],
  userName: `user-${randomUUID()}@example.test`,
  ...more,
});

/** A group body with an unused name. */
export const createGroupBody = (more: object = {}) => ({
  schemas: [GROUP],
  displayName: `Group ${randomUUID()}`,
  ...more,
});

/** A PATCH body. */
export const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations });
