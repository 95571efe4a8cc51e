import { describe, expect, it } from '@jest/globals';
import {
  formatClusterAddress,
  isClusterAddress,
  listKubeconfigs,
  parseClusterAddress,
  requireRegistry,
} from './cluster-address.ts';

describe('the address of a cluster', () => {
  it.each([
    { namespace: 'tools', context: 'kind-dev', kubeconfigs: ['/home/a/.kube/config'] },
    { namespace: 'a', context: 'arn:aws:eks:eu:1:cluster/x?y#z', kubeconfigs: ['/a b', '/c&kubeconfig=d'] },
  ])('is read as it was written: %j', (address) => {
    const text = formatClusterAddress(address);
    expect(isClusterAddress(text)).toBe(true);
    expect(parseClusterAddress(text)).toEqual(address);
  });

  it.each(['unix:///var/run/docker.sock', 'tcp://host:1', ''])('is not %j', (text) =>
    expect(isClusterAddress(text)).toBe(false),
  );

  it.each([
    'kubernetes://',
    'kubernetes://tools/x',
    'kubernetes://../x?kubeconfig=/a',
    'kubernetes://a/%?kubeconfig=/a',
  ])('cannot be %j', (text) =>
    expect(() => parseClusterAddress(text)).toThrow(expect.objectContaining({ code: 'usage' })),
  );
});

describe('KUBECONFIG', () => {
  it.each([
    [undefined, ['/home/.kube/config']],
    ['', ['/home/.kube/config']],
    ['/a:/b::', ['/a', '/b']],
  ])('%j names %j', (variable, paths) => expect(listKubeconfigs(variable, '/home/.kube/config', ':')).toEqual(paths));
});

describe('the setting kubernetes.registry', () => {
  it.each([
    ['registry.example.com/team/', 'registry.example.com/team'],
    ['localhost:5000', 'localhost:5000'],
  ])('can be %s', (text, registry) => expect(requireRegistry('x', text)).toBe(registry));

  it.each(['', 'team', 'https://registry.example.com', 'registry.example.com/A', 'a.b/c:tag'])('cannot be %j', (text) =>
    expect(() => requireRegistry('x', text)).toThrow('is not a registry'),
  );
});
