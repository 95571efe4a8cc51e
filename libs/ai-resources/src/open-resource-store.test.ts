import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@gatehouse/service-kit/config';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileResourceStore } from './files/file-resource-store.ts';
import { KubernetesResourceStore } from './kubernetes/kubernetes-resource-store.ts';
import { openResourceStores } from './open-resource-store.ts';
import { POLICY } from './resources.fixture.ts';

const NAMESPACE = 'gatehouse';

describe('openResourceStores', () => {
  it('opens a folder, which the first operation creates', async () => {
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
    const RESOURCES_FOLDER = join(home, 'resources');
    const stores = openResourceStores({ NAMESPACE, RESOURCES_FOLDER });
    expect(existsSync(RESOURCES_FOLDER)).toBe(false);
    await stores.policies.create({ metadata: POLICY.metadata, spec: POLICY.spec });
    expect((await stores.policies.list()).items.map(({ metadata }) => metadata.namespace)).toEqual([NAMESPACE]);
    expect((await stores.gateways.list()).items).toEqual([]);
    await stores.close();
    rmSync(home, { recursive: true });
  });

  it('opens a cluster by a kubeconfig, which the first operation reads', async () => {
    const stores = openResourceStores({ NAMESPACE, GATEHOUSE_KUBECONFIG: '/nowhere/kubeconfig' });
    expect(stores.policies).toBeInstanceOf(KubernetesResourceStore);
    await expect(stores.policies.get('a')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('/nowhere/kubeconfig'),
    });
    await stores.close();
  });

  it('prefers a folder to the cluster of the pod', async () => {
    const stores = openResourceStores({ NAMESPACE, RESOURCES_FOLDER: '/nowhere', KUBERNETES_SERVICE_HOST: '10.0.0.1' });
    expect(stores.policies).toBeInstanceOf(FileResourceStore);
    await stores.close();
  });

  it.each([
    ['no source', {}, 'RESOURCES_FOLDER: is required without GATEHOUSE_KUBECONFIG'],
    ['a cluster without a service account', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'RESOURCES_FOLDER: is required'],
    ['two sources', { RESOURCES_FOLDER: '/a', GATEHOUSE_KUBECONFIG: '/b' }, 'set one of them'],
  ])('refuses settings with %s', (_, settings, message) => {
    expect(() => openResourceStores({ NAMESPACE, ...settings })).toThrow(ConfigError);
    expect(() => openResourceStores({ NAMESPACE, ...settings })).toThrow(message);
  });
});
