import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { DirectoryUnavailableError } from '../access/directory-view.ts';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import { describeSkillsExtension, type SkillsPlane } from './skills-extension.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const USER = { issuer: 'https://id.example.test', subject: 'alice' };

type Declare = () => Promise<JsonObject>;

const declare =
  (extensions?: unknown): Declare =>
  () =>
    Promise.resolve({ ...(extensions !== undefined && { extensions }) } as JsonObject);
const hang: Declare = () => new Promise(() => undefined);
const fail: Declare = () => Promise.reject(new UpstreamUnavailableError('did not answer'));

/** A plane whose visible upstreams declare their capabilities as given. */
function createPlane(upstreams: readonly Declare[], isDirectoryDown = false): SkillsPlane {
  const connectors = upstreams.map((_, id) => ({ id: String(id), auth: { type: 'none' } }));
  return {
    limits: { fanOutMs: 20 },
    directory: {
      getRules: () => ({}),
      getEntitlements: () => {
        if (isDirectoryDown) throw new DirectoryUnavailableError('down');
        return undefined;
      },
    },
    accesses: { get: () => ({}) },
    offers: { listConnectorsInScope: () => connectors },
    upstreams: {
      list: ({ connector }: { connector: { id: string } }) => upstreams[Number(connector.id)]!().then(() => []),
      getCapabilities: ({ connector }: { connector: { id: string } }) => upstreams[Number(connector.id)]!(),
    },
  } as unknown as SkillsPlane;
}

const describeFor = (...upstreams: Declare[]) =>
  describeSkillsExtension(createPlane(upstreams), USER as never, { slug: undefined });

describe('describeSkillsExtension', () => {
  it('is empty if no upstream offers skills', async () => {
    expect(await describeFor()).toEqual({});
    expect(await describeFor(declare(), declare({}), declare({ other: {} }))).toEqual({});
  });

  it.each([[null], [7], ['x'], [[]], [{ [EXTENSION]: null }], [{ [EXTENSION]: true }], [{ [EXTENSION]: 'yes' }]])(
    'ignores the declaration %j',
    async (extensions) => {
      expect(await describeFor(declare(extensions))).toEqual({});
    },
  );

  it('offers folders only if an upstream does', async () => {
    const plain = declare({ [EXTENSION]: {} });
    expect(await describeFor(plain, declare({ [EXTENSION]: { directoryRead: 'yes' } }))).toEqual({ [EXTENSION]: {} });
    expect(await describeFor(plain, declare({ [EXTENSION]: { directoryRead: true } }))).toEqual({
      [EXTENSION]: { directoryRead: true },
    });
  });

  it('leaves out upstreams that hang or fail', async () => {
    expect(await describeFor(hang, fail)).toEqual({});
    expect(await describeFor(hang, fail, declare({ [EXTENSION]: {} }))).toEqual({ [EXTENSION]: {} });
  });

  it('is empty while the directory is unavailable', async () => {
    const plane = createPlane([declare({ [EXTENSION]: {} })], true);
    expect(await describeSkillsExtension(plane, USER as never, { slug: undefined })).toEqual({});
  });
});
