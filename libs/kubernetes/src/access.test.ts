import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getClusterAccess } from './access.ts';

const NO_SETTINGS = { url: undefined, tokenPath: undefined, caPath: undefined, host: undefined, port: undefined };

describe('getClusterAccess', () => {
  it('prefers the URL of the settings', () => {
    const url = 'https://cluster.example';
    expect(getClusterAccess({ ...NO_SETTINGS, url, host: '10.0.0.1' })).toEqual({
      url,
      tokenPath: undefined,
      caPath: undefined,
    });
  });

  it('returns the kubeconfig of the settings, also in a pod, unless they have a URL', () => {
    const kubeconfigPath = '/home/alice/.kube/config';
    expect(getClusterAccess({ ...NO_SETTINGS, kubeconfigPath, host: '10.0.0.1' })).toEqual({ kubeconfigPath });
    const url = 'https://cluster.example';
    expect(getClusterAccess({ ...NO_SETTINGS, kubeconfigPath, url })).toMatchObject({ url });
  });

  it('returns undefined outside of a cluster, and in a pod without a service account', () => {
    expect(getClusterAccess(NO_SETTINGS)).toBeUndefined();
    expect(getClusterAccess({ ...NO_SETTINGS, host: '10.0.0.1', tokenPath: '/does/not/exist' })).toBeUndefined();
  });

  it.each([
    ['10.0.0.1', '6443', 'https://10.0.0.1:6443'],
    ['fd00::1', undefined, 'https://[fd00::1]:443'],
  ])('returns the cluster of the pod at %s', (host, port, url) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-access-'));
    const tokenPath = join(folder, 'token');
    writeFileSync(tokenPath, 'token');
    try {
      expect(getClusterAccess({ ...NO_SETTINGS, host, port, tokenPath })).toMatchObject({ url, tokenPath });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
